import { type Actor } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { listInvoicesOf } from "~db/repositories/invoices.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { type OrderStatus } from "~db/tables";
import { CREDIT_REASON_REQUIRED } from "../sales-order-fields";
import { isPortalNumber } from "./invoice-content";
import { creditInvoice, currentInvoice, issueDueInvoices } from "./issue-invoice.server";

/** The fields of a sales order's form that concern its invoice. */
interface RecordForm {
  status: OrderStatus;
  invoiceNumber: string;
  invoiceTotal: number | null;
  /** `yyyy-MM-dd`. */
  invoiceDate: string | null;
  seen: string;
}

const NO_INVOICE = { invoiceNumber: "", invoiceTotal: null, invoiceDate: null };

/**
 * Returns the form of an order with its invoice fields adjusted to the invoice that the portal has issued. When the order is cancelled the
 * fields become empty, because the invoice is credited. A form that made the portal issue the invoice and is sent again gets the data of
 * that invoice.
 */
export async function withPortalInvoice<Form extends RecordForm>(trx: Trx, order: OrderRow, form: Form): Promise<Form> {
  const invoices = await listInvoicesOf(trx, [order.id]);
  if (invoices.length === 0) return form;
  if (form.status === "Cancelled") return { ...form, ...NO_INVOICE };
  const isSentAgain = form.status === "Invoiced" && form.invoiceNumber === "" && form.seen !== order.updatedAt;
  if (!isSentAgain || currentInvoice(invoices) === null) return form;
  const { invoiceNumber, invoiceCents, invoiceDate } = order;
  return {
    ...form,
    invoiceNumber: invoiceNumber ?? "",
    invoiceTotal: invoiceCents,
    invoiceDate: invoiceDate && invoiceDate.slice(0, 10),
  };
}

type InvoiceColumns = Pick<OrderRow, "status" | "invoiceNumber" | "invoiceCents" | "invoiceDate">;

const refusal = (message: string) => new PortalError(message, { code: "invoice.by-hand", field: "invoiceNumber" });

/**
 * Throws a PortalError for the field `invoiceNumber` when staff change the invoice fields of an order by hand although the portal issued
 * the invoice, or use a number that only the portal may assign. An issued invoice is changed by a credit note only.
 *
 * @param order The order as it is stored.
 * @param change The invoice fields after the change.
 */
export async function requirePortalInvoice(trx: Trx, order: OrderRow, change: InvoiceColumns): Promise<void> {
  const { invoiceNumber, invoiceCents, invoiceDate } = change;
  const hasOtherNumber = invoiceNumber !== order.invoiceNumber;
  const isSame = !hasOtherNumber && invoiceCents === order.invoiceCents && invoiceDate === order.invoiceDate;
  if (isSame || change.status === "Cancelled") return;
  if (currentInvoice(await listInvoicesOf(trx, [order.id])) !== null)
    throw refusal(
      "The portal issued this invoice: its number, total and date cannot be changed. A credit note cancels it.",
    );
  if (invoiceNumber !== null && hasOtherNumber && isPortalNumber(invoiceNumber))
    throw refusal("The portal assigns numbers of this kind: issue the invoice instead.");
}

/**
 * Throws a PortalError for the field `remarks` when an order with an invoice of the portal is cancelled without a new reason. The credit
 * note states the reason.
 */
export async function requireCreditReason(
  trx: Trx,
  order: OrderRow,
  { status, remarks }: Pick<OrderRow, "status" | "remarks">,
): Promise<void> {
  if (status !== "Cancelled" || (remarks !== null && remarks !== order.remarks)) return;
  if (currentInvoice(await listInvoicesOf(trx, [order.id])) === null) return;
  throw new PortalError(CREDIT_REASON_REQUIRED, { code: "invoice.credit-reason", field: "remarks" });
}

interface Follow {
  /** What staff wrote with the change. */
  reason: string;
  actor: Actor;
  now: Date;
}

/**
 * Issues or credits the invoice of an order after its status was stored, in the same transaction. The status Invoiced without a number
 * makes the portal issue an invoice; Cancelled credits the one that the portal issued.
 *
 * @param before The order before the change.
 * @returns What was issued, such as `Credit note CN-2026-00001`, or "".
 */
export async function followStatus(trx: Trx, before: OrderRow, { reason, actor, now }: Follow): Promise<string> {
  const order = await findOrder(trx, before.id);
  if (!order || order.status === before.status) return "";
  if (order.status === "Cancelled") {
    const note = await creditInvoice(trx, { orderId: order.id, reason }, actor, now);
    return note ? `Credit note ${note.number}` : "";
  }
  if (order.status !== "Invoiced" || order.invoiceNumber !== null) return "";
  const invoice = (await issueDueInvoices(trx, [{ orderId: order.id, actor }], now)).get(order.id);
  return invoice ? `Invoice ${invoice.number}` : "";
}
