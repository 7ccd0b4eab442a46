import { type Actor } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { listInvoicesOf } from "~db/repositories/invoices.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { isPortalNumber } from "./invoice-content";
import { creditInvoice, currentInvoice, issueDueInvoice } from "./issue-invoice.server";

type InvoiceColumns = Pick<OrderRow, "invoiceNumber" | "invoiceDate">;

const refusal = (message: string) => new PortalError(message, { code: "invoice.by-hand", field: "invoiceNumber" });

/**
 * What staff record of an order's invoice by hand must leave the portal's own alone: an invoice that it issued changes by a credit note
 * only, and its numbers are its own. In: the order as it is, and what the form makes of it. Throws a PortalError at `invoiceNumber`.
 */
export async function demandOwnInvoice(trx: Trx, order: OrderRow, change: InvoiceColumns): Promise<void> {
  const isSame = change.invoiceNumber === order.invoiceNumber && change.invoiceDate === order.invoiceDate;
  if (isSame) return;
  if (currentInvoice(await listInvoicesOf(trx, order.id)) !== null)
    throw refusal("The portal issued this invoice: number and date stay. A credit note cancels it.");
  if (
    change.invoiceNumber !== null &&
    change.invoiceNumber !== order.invoiceNumber &&
    isPortalNumber(change.invoiceNumber)
  )
    throw refusal("Numbers of this kind are given by the portal: issue the invoice instead.");
}

/**
 * What follows for the invoice of an order whose status was just stored, in that transaction: Invoiced without a number makes the portal issue
 * one, Cancelled credits what it issued. In: the order as it was before, and why. Out: what happened, in words, or "".
 */
export async function followStatus(
  trx: Trx,
  before: OrderRow,
  { reason, actor, now }: { reason: string; actor: Actor; now: Date },
): Promise<string> {
  const order = await findOrder(trx, before.id);
  if (!order || order.status === before.status) return "";
  if (order.status === "Cancelled") {
    const note = await creditInvoice(
      trx,
      { orderId: order.id, reason: reason || "The order was cancelled." },
      actor,
      now,
    );
    return note ? `Credit note ${note.number}.` : "";
  }
  if (order.status !== "Invoiced" || order.invoiceNumber !== null) return "";
  const invoice = await issueDueInvoice(trx, order.id, actor, now);
  return invoice ? `Invoice ${invoice.number}.` : "";
}
