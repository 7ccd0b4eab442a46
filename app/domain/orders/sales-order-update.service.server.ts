import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { type ChangedMeanwhile } from "~/domain/changed-meanwhile";
import { notFound, PortalError } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { changeOrder, findOtherOrderOfInvoice, lockOrder, type OrderRow } from "~db/repositories/orders.server";
import { type OrderStatus } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { followPayment } from "./code-payment.server";
import { customerNote } from "./customer-note";
import { tellCustomer } from "./customer-note.server";
import {
  demandPortalInvoice,
  followStatus,
  requireCreditReason,
  withPortalInvoice,
} from "./invoices/invoice-record.server";
import { orderNumber } from "./order-number";
import { changeOf, differences, differingFields, type SalesOrderChange } from "./sales-order-change.server";
import { CERTIFICATE_PENDING, NOTE_NEEDED, ORDER_CANCELLED } from "./sales-order-fields";
import { askFirst } from "./sales-order-question.server";
import { dayBeforeOrder } from "./sales-order.policy";
import { type SalesOrderForm } from "./sales-order.schema";

const refusal = (message: string, field?: string) =>
  new PortalError(message, { code: "order.update", ...(field && { field }) });

/** An invoice's number names one order, also when that one was cancelled. */
async function demandOwnNumber(trx: Trx, order: OrderRow, invoiceNumber: string | null): Promise<void> {
  if (invoiceNumber === null || invoiceNumber === order.invoiceNumber) return;
  const other = await findOtherOrderOfInvoice(trx, invoiceNumber, order.id);
  if (other !== null) throw refusal(`Order ${orderNumber(other)} has this invoice number.`, "invoiceNumber");
}

function demandDaysAfterOrder(form: SalesOrderForm, order: OrderRow): void {
  const wrong = dayBeforeOrder(form, order);
  if (wrong) throw refusal(wrong.message, wrong.field);
}

/** Leaving Paid says why, with words that were not there before. */
function demandNote(order: OrderRow, { status, remarks }: SalesOrderChange): void {
  if (order.status !== "Paid" || status === "Paid") return;
  if (remarks === null || remarks === order.remarks) throw refusal(NOTE_NEEDED, "remarks");
}

/** Whether an older form is this order's, sent again: then it made the order what it is, be it from a paid one. */
const cameBefore = (form: SalesOrderForm, order: OrderRow, hasEnded: boolean, now: Date): boolean =>
  form.seen !== order.updatedAt &&
  differences(order, changeOf(form, { ...order, status: "Paid" }, hasEnded, now)) === "";

interface Saved {
  /** The status that the order has now. */
  status: OrderStatus;
  /** What was issued with it, such as `Credit note CN-2026-00001`, or "". */
  issued: string;
}

interface Circumstances {
  now?: Date;
  /** Whether staff were asked about the consequences (`askFirst`). */
  isConfirmed?: boolean;
}

/**
 * Saves what staff changed of a sales order (SAL-03): the one way to its status, invoice and payment. In: the form, which knows
 * the version of the order that it shows. The same form sent again changes nothing. Paid codes become available (`followPayment`), the
 * portal's invoice is issued or credited (`followStatus`), and the customer of an order that is cancelled or not paid any more is told.
 * Out: what came of it; or that nothing was saved because the order was changed since the page was made.
 * Throws not found, or a PortalError: the order is cancelled, has the invoice number of another one, gets a
 * day before its own, leaves Paid without a note or with registered codes, is to be cancelled under a pending certificate, or is cancelled with an invoice without a
 * reason; or `AsksFirst`, unless it is confirmed.
 */
export const updateSalesOrder = (
  orderId: number,
  submitted: SalesOrderForm,
  actor: Actor,
  { now = new Date(), isConfirmed = false }: Circumstances = {},
): Promise<Saved | ChangedMeanwhile> =>
  inTransaction(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (!order) throw notFound();
    const form = await withPortalInvoice(trx, order, submitted);
    const certificate = await findCertificateByOrder(trx, orderId);
    const hasEnded = certificate?.status === "Rejected" || certificate?.status === "Cancelled";
    const change = changeOf(form, order, hasEnded, now);
    const changes = differences(order, change);
    if (changes === "" || cameBefore(form, order, hasEnded, now)) return { status: order.status, issued: "" };
    if (order.status === "Cancelled") throw refusal(ORDER_CANCELLED);
    if (change.status === "Cancelled" && certificate?.status === "Pending")
      throw refusal(CERTIFICATE_PENDING, "status");
    const { updatedAt: version } = order;
    if (form.seen !== version) return { differing: differingFields(order, change), version };
    demandNote(order, change);
    await demandPortalInvoice(trx, order, change);
    await requireCreditReason(trx, order, change);
    await demandOwnNumber(trx, order, change.invoiceNumber);
    demandDaysAfterOrder(form, order);
    const after = { ...order, ...change };
    const reason = form.remarks === order.remarks ? "" : form.remarks;
    const orderChange = { before: order, after, reason, certificate: certificate?.status };
    const note = customerNote(orderChange);
    const isTold = note.length > 0;
    const noted = isTold ? note.join("\n") : order.customerNote;
    const customer = { customerNote: change.status === "Paid" ? null : noted };
    await changeOrder(trx, orderId, version, { ...change, ...customer }, now);
    const codes = await followPayment(trx, order, now);
    if (!isConfirmed) await askFirst(trx, orderChange);
    const issued = await followStatus(trx, order, { reason: form.remarks, actor, now });
    if (isTold) await tellCustomer(trx, { ...after, updatedAt: now.toISOString() }, note, now);
    const message = [changes, codes, issued && `${issued}.`].filter(Boolean).join(" ");
    const entry = { actor, event: "order.updated", message, userId: order.userId, orderId };
    await recordAudit(trx, { ...entry, reference: orderNumber(orderId) }, now);
    return { status: change.status, issued };
  });
