import { type Actor } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { listInvoicesOf } from "~db/repositories/invoices.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { type CertificateStatus, type OrderStatus } from "~db/tables";
import { ASKS_TO_CREDIT, ASKS_TO_ISSUE, CREDIT_REASON_NEEDED } from "../sales-order.fields";
import { isPortalNumber } from "./invoice-content";
import { creditQuestion, issueQuestion } from "./invoice.policy";
import { creditInvoice, currentInvoice, isInvoiceDue, issueDueInvoice } from "./issue-invoice.server";

/** What the form of a sales order says of its invoice. */
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
 * The form of an order for which the portal issued an invoice, as it is meant: who cancels the order has the invoice credited; a form that made
 * the portal issue it, sent again, is about this invoice.
 */
export async function withPortalInvoice<Form extends RecordForm>(trx: Trx, order: OrderRow, form: Form): Promise<Form> {
  const invoices = await listInvoicesOf(trx, order.id);
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
 * What staff record of an order's invoice by hand must leave the portal's own alone: an invoice that it issued changes by a credit note
 * only, and its numbers are its own. In: the order as it is, and what the form makes of it. Throws a PortalError at `invoiceNumber`.
 */
export async function demandPortalInvoice(trx: Trx, order: OrderRow, change: InvoiceColumns): Promise<void> {
  const { invoiceNumber, invoiceCents, invoiceDate } = change;
  const hasOtherNumber = invoiceNumber !== order.invoiceNumber;
  const isSame = !hasOtherNumber && invoiceCents === order.invoiceCents && invoiceDate === order.invoiceDate;
  if (isSame || change.status === "Cancelled") return;
  if (currentInvoice(await listInvoicesOf(trx, order.id)) !== null)
    throw refusal("The portal issued this invoice: number, total and date stay. A credit note cancels it.");
  if (invoiceNumber !== null && hasOtherNumber && isPortalNumber(invoiceNumber))
    throw refusal("Numbers of this kind are given by the portal: issue the invoice instead.");
}

interface Follow {
  /** What staff wrote with the change. */
  reason: string;
  /** Whether they were asked about the invoice or credit note. */
  isConfirmed: boolean;
  /** Status of the certificate that was ordered. */
  certificate: CertificateStatus | undefined;
  actor: Actor;
  now: Date;
}

/** Credits the invoice of an order that is cancelled, with a reason that was not there before. */
async function creditCancelled(trx: Trx, before: OrderRow, { reason, isConfirmed, certificate, actor, now }: Follow) {
  const invoice = currentInvoice(await listInvoicesOf(trx, before.id));
  if (!invoice) return "";
  if (reason === "" || reason === before.remarks)
    throw new PortalError(CREDIT_REASON_NEEDED, { code: "invoice.credit-reason", field: "remarks" });
  if (!isConfirmed) throw new PortalError(creditQuestion(invoice, certificate), { code: ASKS_TO_CREDIT });
  const note = await creditInvoice(trx, { orderId: before.id, reason }, actor, now);
  return note ? `Credit note ${note.number}` : "";
}

/** Issues the invoice of an order that became Invoiced and has none, if one is due. */
async function issueInvoiced(trx: Trx, order: OrderRow, { isConfirmed, actor, now }: Follow): Promise<string> {
  if (!(await isInvoiceDue(trx, order))) return "";
  if (!isConfirmed) throw new PortalError(issueQuestion(order), { code: ASKS_TO_ISSUE });
  const invoice = await issueDueInvoice(trx, order.id, actor, now);
  return invoice ? `Invoice ${invoice.number}` : "";
}

/**
 * What follows for the invoice of an order whose status was just stored, in that transaction: Invoiced without a number makes the portal issue
 * one, Cancelled credits what it issued. In: the order as it was before. Out: what was issued, such as `Credit note CN-2026-00001`, or "".
 * Throws a PortalError at `remarks` without a reason for the credit note, or the one that asks (`ASKS_TO_ISSUE`, `ASKS_TO_CREDIT`).
 */
export async function followStatus(trx: Trx, before: OrderRow, follow: Follow): Promise<string> {
  const order = await findOrder(trx, before.id);
  if (!order || order.status === before.status) return "";
  if (order.status === "Cancelled") return creditCancelled(trx, before, follow);
  if (order.status !== "Invoiced" || order.invoiceNumber !== null) return "";
  return issueInvoiced(trx, order, follow);
}
