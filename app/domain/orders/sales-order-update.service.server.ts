import { requireTask } from "~/domain/accounts/staff-rights.server";
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
  requirePortalInvoice,
  followStatus,
  requireCreditReason,
  withPortalInvoice,
} from "./invoices/invoice-record.server";
import { orderNumber } from "./order-number";
import { changeOf, differences, differingFields, type SalesOrderChange } from "./sales-order-change.server";
import { CERTIFICATE_PENDING, NOTE_REQUIRED, ORDER_CANCELLED } from "./sales-order-fields";
import { askFirst } from "./sales-order-question.server";
import { dayBeforeOrder } from "./sales-order.policy";
import { type SalesOrderForm } from "./sales-order.schema";

const refusal = (message: string, field?: string) =>
  new PortalError(message, { code: "order.update", ...(field && { field }) });

/**
 * Throws a PortalError when another order has this invoice number. An invoice number belongs to one order, even if that order is cancelled.
 */
async function requireOwnNumber(trx: Trx, order: OrderRow, invoiceNumber: string | null): Promise<void> {
  if (invoiceNumber === null || invoiceNumber === order.invoiceNumber) return;
  const other = await findOtherOrderOfInvoice(trx, invoiceNumber, order.id);
  if (other !== null) throw refusal(`Order ${orderNumber(other)} has this invoice number.`, "invoiceNumber");
}

function requireDaysAfterOrder(form: SalesOrderForm, order: OrderRow): void {
  const wrong = dayBeforeOrder(form, order);
  if (wrong) throw refusal(wrong.message, wrong.field);
}

/** Throws a PortalError when an order leaves Paid without new remarks. The customer gets them as the reason. */
function requireNote(order: OrderRow, { status, remarks }: SalesOrderChange): void {
  if (order.status !== "Paid" || status === "Paid") return;
  if (remarks === null || remarks === order.remarks) throw refusal(NOTE_REQUIRED, "remarks");
}

/** Returns whether an older form was sent again that has made the order what it is now, perhaps from a paid one. */
const cameBefore = (form: SalesOrderForm, order: OrderRow, hasEnded: boolean, now: Date): boolean =>
  form.seen !== order.updatedAt &&
  differences(order, changeOf(form, { ...order, status: "Paid" }, hasEnded, now)) === "";

interface Saved {
  /** The status of the order after saving. */
  status: OrderStatus;
  /** What was issued, such as `Credit note CN-2026-00001`, or "". */
  issued: string;
}

interface Circumstances {
  now?: Date;
  /** Whether staff have confirmed the consequences (`askFirst`). */
  isConfirmed?: boolean;
}

/**
 * Saves what staff changed in the form of a sales order, in its own transaction (`changeSalesOrder`).
 */
export const updateSalesOrder = (
  orderId: number,
  submitted: SalesOrderForm,
  actor: Actor,
  circumstances: Circumstances = {},
): Promise<Saved | ChangedMeanwhile> =>
  inTransaction((trx) => changeSalesOrder(trx, orderId, submitted, actor, circumstances));

/**
 * Saves what staff changed in the form of a sales order (SAL-03). The form contains the version of the order that the page showed; the same
 * form sent again changes nothing. The codes of a paid order become available (`followPayment`), the portal's invoice is issued or credited
 * (`followStatus`), and the customer is informed when the order is cancelled or no longer paid.
 *
 * Returns the result, or the differences when nothing was saved because the order changed since the page was opened. Throws a PortalError
 * (404) when there is no such order. Throws `AsksFirst` when the consequences are not confirmed. Throws a PortalError in these cases:
 *
 * - The order is cancelled.
 * - Another order has the invoice number.
 * - A day is before that of the order.
 * - The order leaves Paid without a note or with registered codes.
 * - The order is to be cancelled while its certificate is pending, or with an invoice but without a reason.
 */
export async function changeSalesOrder(
  trx: Trx,
  orderId: number,
  submitted: SalesOrderForm,
  actor: Actor,
  { now = new Date(), isConfirmed = false }: Circumstances = {},
): Promise<Saved | ChangedMeanwhile> {
  await requireTask(trx, actor, "change-sales-orders");
  const order = await lockOrder(trx, orderId);
  if (!order) throw notFound();
  const form = await withPortalInvoice(trx, order, submitted);
  const certificate = await findCertificateByOrder(trx, orderId);
  const hasEnded = certificate?.status === "Rejected" || certificate?.status === "Cancelled";
  const change = changeOf(form, order, hasEnded, now);
  const changes = differences(order, change);
  if (changes === "" || cameBefore(form, order, hasEnded, now)) return { status: order.status, issued: "" };
  if (order.status === "Cancelled") throw refusal(ORDER_CANCELLED);
  if (change.status === "Cancelled" && certificate?.status === "Pending") throw refusal(CERTIFICATE_PENDING, "status");
  const { updatedAt: version } = order;
  if (form.seen !== version) return { differing: differingFields(order, change), version };
  requireNote(order, change);
  await requirePortalInvoice(trx, order, change);
  await requireCreditReason(trx, order, change);
  await requireOwnNumber(trx, order, change.invoiceNumber);
  requireDaysAfterOrder(form, order);
  const after = { ...order, ...change };
  const reason = form.remarks === order.remarks ? "" : form.remarks;
  const orderChange = { before: order, after, reason, certificate: certificate?.status };
  const note = customerNote(orderChange);
  const isNotified = note.length > 0;
  const noted = isNotified ? note.join("\n") : order.customerNote;
  const customer = { customerNote: change.status === "Paid" ? null : noted };
  await changeOrder(trx, orderId, version, { ...change, ...customer }, now);
  const codes = await followPayment(trx, order, now);
  if (!isConfirmed) await askFirst(trx, orderChange);
  const issued = await followStatus(trx, order, { reason: form.remarks, actor, now });
  if (isNotified) await tellCustomer(trx, { ...after, updatedAt: now.toISOString() }, note, now);
  const message = [changes, codes, issued && `${issued}.`].filter(Boolean).join(" ");
  const entry = { actor, event: "order.updated", message, userId: order.userId, orderId };
  await recordAudit(trx, { ...entry, reference: orderNumber(orderId) }, now);
  return { status: change.status, issued };
}
