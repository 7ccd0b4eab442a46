import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { formatDate } from "~/lib/dates";
import { notFound, PortalError } from "~/lib/errors";
import { changeOrder, findOrder, findOtherOrderOfInvoice, type OrderRow } from "~db/repositories/orders.server";
import { type Trx } from "~db/connection.server";
import { type OrderStatus } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { followPayment } from "./code-payment.server";
import { orderNumber } from "./order-number";
import { NOTE_NEEDED, PAID_OR_NO_DATE } from "./payment.limits";
import { type PaymentForm } from "./payment.schema";

const dayOf = (moment: string | null) => moment?.slice(0, 10) ?? "";

/** What the form of an order's invoice and payment shows, and why nothing can be recorded any more (null when it can). */
export const paymentFormOf = (order: OrderRow) => ({
  values: {
    invoiceNumber: order.invoiceNumber ?? "",
    invoiceDate: dayOf(order.invoiceDate),
    isPaid: order.status === "Paid",
    paymentDate: dayOf(order.paymentDate),
    seen: order.updatedAt,
  },
  barrier: order.status === "Cancelled" ? "The sales order is cancelled: nothing more is recorded for it." : null,
});

const refusal = (message: string, field?: string) =>
  new PortalError(message, { code: "order.payment", ...(field && { field }) });

/** B §4, sales order save: Paid if chosen, Invoiced with a number, a date and a total, else Open. */
function statusOf({ isPaid, invoiceNumber }: PaymentForm, { totalCents }: OrderRow): OrderStatus {
  if (isPaid) return "Paid";
  return invoiceNumber !== "" && totalCents > 0 ? "Invoiced" : "Open";
}

function changeOf(form: PaymentForm, order: OrderRow) {
  const hasInvoice = form.invoiceNumber !== "";
  return {
    status: statusOf(form, order),
    invoiceNumber: hasInvoice ? form.invoiceNumber : null,
    invoiceDate: form.invoiceDate && `${form.invoiceDate}T00:00:00.000Z`,
    invoiceCents: hasInvoice ? order.totalCents : null,
    paymentDate: form.isPaid && form.paymentDate ? `${form.paymentDate}T00:00:00.000Z` : null,
    paymentCents: form.isPaid ? order.totalCents : null,
    remarks: form.remarks || order.remarks,
  };
}

type Change = ReturnType<typeof changeOf>;

/** Whether the order is as the form has it: then it came before. */
const isStored = (change: Change, order: OrderRow) =>
  change.status === order.status &&
  change.invoiceNumber === order.invoiceNumber &&
  change.remarks === order.remarks &&
  dayOf(change.invoiceDate) === dayOf(order.invoiceDate) &&
  dayOf(change.paymentDate) === dayOf(order.paymentDate);

const inWords = ({ status, invoiceNumber, invoiceDate, paymentDate }: Change, note: string) => {
  const parts = [
    invoiceNumber ? `invoice ${invoiceNumber} of ${formatDate(invoiceDate)}` : "no invoice",
    paymentDate ? `paid on ${formatDate(paymentDate)}` : "not paid",
  ];
  return `The order is ${status}: ${parts.join(", ")}.${note && ` ${note}`}`;
};

/** An invoice's number names one order, also when that one was cancelled. */
async function demandOwnNumber(trx: Trx, order: OrderRow, invoiceNumber: string | null): Promise<void> {
  if (invoiceNumber === null || invoiceNumber === order.invoiceNumber) return;
  const other = await findOtherOrderOfInvoice(trx, invoiceNumber, order.id);
  if (other !== null) throw refusal(`Order ${orderNumber(other)} has this invoice number.`, "invoiceNumber");
}

/**
 * Records invoice and payment of an order. In: the form, which knows the version of the order that it shows. The same form sent again
 * changes nothing. Paid codes become available (`followPayment`). Throws not found, or a PortalError: the order is cancelled, was changed
 * by somebody else, has the invoice number of another one, or leaves Paid without a note or with registered codes.
 */
export async function recordPayment(orderId: number, form: PaymentForm, actor: Actor, now = new Date()): Promise<void> {
  await inTransaction(async (trx) => {
    const order = await findOrder(trx, orderId);
    if (!order) throw notFound();
    if (form.paymentDate && !form.isPaid && order.status !== "Paid") throw refusal(PAID_OR_NO_DATE, "paymentDate");
    const change = changeOf(form, order);
    if (isStored(change, order)) return;
    const { barrier } = paymentFormOf(order);
    if (barrier) throw refusal(barrier);
    if (order.status === "Paid" && change.status !== "Paid" && form.remarks === "")
      throw refusal(NOTE_NEEDED, "remarks");
    await demandOwnNumber(trx, order, change.invoiceNumber);
    if (!(await changeOrder(trx, orderId, form.seen, change, now)))
      throw refusal("This order was changed by somebody else in the meantime. Please reload the page and try again.");
    const codes = await followPayment(trx, order, now);
    const { userId } = order;
    const message = [inWords(change, form.remarks), codes].filter(Boolean).join(" ");
    const entry = { actor, event: "order.payment-recorded", message, userId, orderId };
    await recordAudit(trx, { ...entry, reference: orderNumber(orderId) }, now);
  });
}
