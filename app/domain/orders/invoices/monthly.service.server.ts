import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type Actor, systemActor } from "~/domain/audit/audit.service.server";
import { recipientsFor } from "~/domain/companies/recipient.server";
import { formatDate } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { listDocumentsOf, listInvoicesOf, listOrdersOfInvoices } from "~db/repositories/invoices.server";
import { listOrdersById, lockOrders, type OrderRow } from "~db/repositories/orders.server";
import {
  type AwaitingInvoice,
  awaitsMonthlyInvoice,
  listAwaitingInvoice,
  unmarkAwaitingInvoice,
} from "~db/repositories/standing-authorisations.server";
import { inTransaction } from "~db/transaction.server";
import { draftInvoice } from "./invoice-draft.server";
import { lastMonthEnd, nextMonthEnd } from "./invoice.policy";
import { type DraftOfDocument, type Issued, nextRound, storeInvoices, whyNotInvoiced } from "./issue-invoice.server";
import { monthlyDraft, sharedTerms, type SuppliedDraft } from "./monthly-draft.server";

const ACTOR = systemActor("monthly-invoices");

/** How many orders one invoice has at most. More of them are on several invoices. */
const MOST_ORDERS = 200;

type Supplied = SuppliedDraft & { order: OrderRow; round: number };

/** Returns what the invoice of an order would say, or null when it gets none: it has one, has a number by hand, or is cancelled. */
async function suppliedBy(trx: Trx, order: OrderRow, now: Date): Promise<Supplied | null> {
  const certificate = await findCertificateByOrder(trx, order.id);
  const invoices = await listInvoicesOf(trx, [order.id]);
  if (whyNotInvoiced(order, invoices, certificate) !== null) return null;
  const suppliedOn = (certificate?.issuedAt ?? now.toISOString()).slice(0, 10);
  const draft = await draftInvoice(trx, order, certificate, { now });
  return { order, suppliedOn, round: nextRound(invoices), draft };
}

/** Returns the orders in groups that can be on one invoice each. */
function grouped(supplied: readonly Supplied[]): [Supplied, ...Supplied[]][] {
  const groups = new Map<string, [Supplied, ...Supplied[]]>();
  for (const one of supplied) {
    const terms = sharedTerms(one) + one.order.invoiceAddress;
    const group = groups.get(terms);
    if (group) group.push(one);
    else groups.set(terms, [one]);
  }
  return [...groups.values()];
}

/** Returns one invoice for all of these orders that can be invoiced now and are alike, and others for those that differ. */
async function draftTogether(
  trx: Trx,
  orders: readonly OrderRow[],
  actor: Actor,
  now: Date,
): Promise<DraftOfDocument[]> {
  const supplied: Supplied[] = [];
  for (const order of orders) {
    const one = await suppliedBy(trx, order, now);
    if (one) supplied.push(one);
  }
  const recipientOf = await recipientsFor(trx, orders);
  return grouped(supplied).map((group): DraftOfDocument => {
    const [first, ...others] = group;
    const rowOf = ({ order, round }: Supplied) => ({ order, recipient: recipientOf(order), round });
    return { rows: [rowOf(first), ...others.map(rowOf)], draft: monthlyDraft(group), actor };
  });
}

/** Returns which of these orders have never had an invoice. */
async function neverInvoiced(trx: Trx, orders: readonly OrderRow[]): Promise<OrderRow[]> {
  const documents = await listDocumentsOf(
    trx,
    orders.map(({ id }) => id),
  );
  return orders.filter(({ id }) => !documents.some(({ orderId }) => orderId === id));
}

/** Issues the invoices of a month for orders under one standing authorisation, in one transaction. Returns how many there are. */
const invoiceMonth = (waiting: readonly AwaitingInvoice[], now: Date): Promise<number> =>
  inTransaction(async (trx) => {
    const orders = await lockOrders(
      trx,
      waiting.map(({ orderId }) => orderId),
    );
    // What staff have invoiced and credited before, they invoice again.
    const drafts = await draftTogether(trx, await neverInvoiced(trx, orders), ACTOR, now);
    await unmarkAwaitingInvoice(
      trx,
      waiting.map(({ certificateId }) => certificateId),
    );
    await storeInvoices(trx, drafts, now);
    return drafts.length;
  });

/**
 * Returns the orders that can be on one new invoice, in ascending order: this one, and the others that the same credit note has left without
 * an invoice. Empty when there are no others.
 */
export async function listCreditedWith(db: DbOrTrx, orderId: number): Promise<number[]> {
  const last = (await listDocumentsOf(db, [orderId])).at(-1);
  if (last?.kind !== "credit-note") return [];
  const ids = (await listOrdersOfInvoices(db, [last.id])).get(last.id) ?? [];
  const documents = await listDocumentsOf(db, ids);
  const left = ids.filter((id) => documents.findLast((document) => document.orderId === id)?.id === last.id);
  const open = (await listOrdersById(db, left)).filter(
    ({ status, invoiceNumber }) => status !== "Cancelled" && invoiceNumber === null,
  );
  return open.length > 1 ? open.map(({ id }) => id).sort((one, other) => one - other) : [];
}

/**
 * Issues one invoice for the orders of `listCreditedWith`, or several when they differ by now. Returns the invoices by order. Throws a
 * PortalError when they are other orders than were seen, or one of them has got an invoice.
 *
 * @param seen The ids of the orders that a page showed.
 */
export const issueTogether = (
  orderId: number,
  seen: readonly number[],
  actor: Actor,
  now = new Date(),
): Promise<Map<number, Issued>> =>
  inTransaction(async (trx) => {
    await requireTask(trx, actor, "change-sales-orders");
    const ids = await listCreditedWith(trx, orderId);
    const drafts = await draftTogether(trx, ids.length === 0 ? [] : await lockOrders(trx, ids), actor, now);
    const drafted = drafts.flatMap(({ rows }) => rows.map(({ order }) => order.id));
    if (drafted.length === 0 || drafted.length !== seen.length || !drafted.every((id) => seen.includes(id)))
      throw new PortalError("Nothing was issued, because the orders were changed meanwhile. Look at them again.", {
        code: "invoice.changed",
      });
    return storeInvoices(trx, drafts, now);
  });

/** Returns the orders of each company and standing authorisation, in parts of at most `MOST_ORDERS`. */
function byAuthorisation(waiting: readonly AwaitingInvoice[]): AwaitingInvoice[][] {
  const parts: AwaitingInvoice[][] = [];
  for (const one of waiting) {
    const last = parts.at(-1);
    const isSame = last?.[0]?.companyId === one.companyId && last[0].authorisationId === one.authorisationId;
    if (last && isSame && last.length < MOST_ORDERS) last.push(one);
    else parts.push([one]);
  }
  return parts;
}

/**
 * Issues the invoices of a month that are due: for each company and standing authorisation one for all orders whose certificates were issued
 * before the end of the month. Orders with another purchase order number, invoice address, VAT or sterling rate, and those that are paid, are on
 * invoices of their own. Safe to repeat, however late and in how many processes. Returns how many invoices were issued. A failure is logged and
 * does not stop the others; the first one is thrown at the end.
 */
export async function issueMonthlyInvoices(now = new Date()): Promise<number> {
  const failures: unknown[] = [];
  let count = 0;
  for (const waiting of byAuthorisation(await listAwaitingInvoice(getDb(), lastMonthEnd(now)))) {
    try {
      count += await invoiceMonth(waiting, now);
    } catch (error) {
      logError(error);
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return count;
}

/** Returns when and how an order is invoiced that waits for the invoice of the month, as a sentence, or null when it waits for none. */
export async function monthlyText(db: DbOrTrx, order: OrderRow, now: Date): Promise<string | null> {
  if (order.status === "Cancelled" || order.invoiceNumber !== null) return null;
  if (!(await awaitsMonthlyInvoice(db, order.id))) return null;
  if ((await listInvoicesOf(db, [order.id])).length > 0) return null;
  const invoiced = `It is invoiced on ${formatDate(nextMonthEnd(now).toISOString())}`;
  return order.status === "Paid" || order.paymentCents
    ? `${invoiced}, alone, because it is paid.`
    : `${invoiced}, with the other orders of the month that have the same purchase order number and invoice address.`;
}
