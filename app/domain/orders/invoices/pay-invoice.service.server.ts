import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type Actor } from "~/domain/audit/audit.service.server";
import { notFound, PortalError } from "~/lib/errors";
import { formatEuro } from "~/lib/money";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { listInvoicesNumbered } from "~db/repositories/exact-search.server";
import { type InvoiceRow, listInvoicesOf, listOrdersOfInvoices } from "~db/repositories/invoices.server";
import { lockOrders, type OrderRow } from "~db/repositories/orders.server";
import { inTransaction } from "~db/transaction.server";
import { orderNumbersText } from "../order-number";
import { changeSalesOrder } from "../sales-order-update.service.server";
import { type SalesOrderForm } from "../sales-order.schema";
import { currentInvoice } from "./issue-invoice.server";

/** Returns the orders that still have this invoice: those for which no credit note has cancelled it, in ascending order. */
export async function listOrdersWith(db: DbOrTrx, invoiceId: number): Promise<number[]> {
  const ids = (await listOrdersOfInvoices(db, [invoiceId])).get(invoiceId) ?? [];
  const invoices: InvoiceRow[] = ids.length === 0 ? [] : await listInvoicesOf(db, ids);
  return ids.filter((id) => currentInvoice(invoices.filter(({ orderId }) => orderId === id))?.id === invoiceId);
}

/** Returns the id of the invoice with this number, which the portal issued. Throws a PortalError (404) when there is none. */
export async function findIssuedInvoice(number: string): Promise<number> {
  const parts = /^INV-(\d{4})-(\d{5,9})$/i.exec(number.trim());
  const [year, count] = [Number(parts?.[1]), Number(parts?.[2])];
  const [found] = parts ? await listInvoicesNumbered(getDb(), { kind: "invoice", year, number: count }) : [];
  if (!found) throw notFound();
  return found.id;
}

const dayOf = (timestamp: string | null) => timestamp?.slice(0, 10) ?? null;

/** Returns the form of an order that records its whole total as paid. */
const paidForm = (order: OrderRow, paymentDate: string | null): SalesOrderForm => ({
  status: "Paid",
  remarks: order.remarks ?? "",
  promotionCode: order.promotionCode ?? "",
  invoiceNumber: order.invoiceNumber ?? "",
  invoiceTotal: order.invoiceCents,
  invoiceDate: dayOf(order.invoiceDate),
  paymentTotal: null,
  paymentDate,
  seen: order.updatedAt,
});

/** Throws a PortalError when a page showed other orders as not paid, so another amount. */
function requireSeen(unpaid: readonly OrderRow[], seen: readonly number[]): void {
  if (unpaid.length === seen.length && unpaid.every(({ id }) => seen.includes(id))) return;
  const cents = unpaid.reduce((sum, { totalCents }) => sum + totalCents, 0);
  const left = `${formatEuro(cents)} for ${orderNumbersText(unpaid.map(({ id }) => id))}`;
  const message = `Nothing was recorded, because the invoice was changed meanwhile: ${left} is not paid now. Check it and record the payment again.`;
  throw new PortalError(message, { code: "invoice.changed" });
}

/**
 * Records that an invoice was paid as a whole: every order that still has it and is Invoiced becomes Paid with its total, all or none. Returns
 * the ids of these orders. The same payment recorded again changes nothing and returns no ids. Throws a PortalError (404) when there is no such
 * invoice, one for the field `paymentDate` when it is before the day of an order, one when a credit note has cancelled the invoice for all of
 * its orders, and one when other orders are to be paid than were seen.
 *
 * @param paymentDate `yyyy-MM-dd`, or null for today.
 * @param seen The ids of the orders that a page showed as not paid. Without it, whatever is not paid is recorded.
 */
export const payInvoice = (
  { invoiceId, paymentDate, seen }: { invoiceId: number; paymentDate: string | null; seen?: readonly number[] },
  actor: Actor,
  now = new Date(),
): Promise<number[]> =>
  inTransaction(async (trx) => {
    await requireTask(trx, actor, "change-sales-orders");
    const all = (await listOrdersOfInvoices(trx, [invoiceId])).get(invoiceId) ?? [];
    if (all.length === 0) throw notFound();
    await lockOrders(trx, all);
    const ids = await listOrdersWith(trx, invoiceId);
    if (ids.length === 0)
      throw new PortalError("A credit note has cancelled this invoice: there is nothing to pay.", {
        code: "invoice.none",
      });
    const unpaid = (await lockOrders(trx, ids)).filter(({ status }) => status === "Invoiced");
    if (seen && unpaid.length > 0) requireSeen(unpaid, seen);
    const paid: number[] = [];
    for (const order of unpaid) {
      const answer = await changeSalesOrder(trx, order.id, paidForm(order, paymentDate), actor, {
        now,
        isConfirmed: true,
      });
      if ("differing" in answer) throw new Error(`Order ${order.id} was changed while it was locked.`);
      paid.push(order.id);
    }
    return paid;
  });
