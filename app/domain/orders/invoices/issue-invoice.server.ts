import { type Actor, type AuditEntry, recordAudits } from "~/domain/audit/audit.service.server";
import { recipientFor, recipientsFor } from "~/domain/companies/recipient.server";
import { PortalError } from "~/lib/errors";
import { formatEuro } from "~/lib/money";
import { type Trx } from "~db/connection.server";
import { type CertificateRow, findCertificateByOrder } from "~db/repositories/certificates.server";
import {
  insertFurtherOrders,
  insertInvoices,
  type InvoiceRow,
  listInvoicesOf,
  listOrdersOfInvoices,
  setOrderInvoices,
  takeInvoiceNumbers,
} from "~db/repositories/invoices.server";
import { lockOrders, type OrderRow } from "~db/repositories/orders.server";
import { type UserRow } from "~db/repositories/users.server";
import { type InvoiceKind } from "~db/tables";
import { orderNumber } from "../order-number";
import { noteWhenCredited } from "../price.policy";
import { type InvoiceContent, invoiceNumber, KIND_LABELS, ordersText, parseInvoiceContent } from "./invoice-content";
import { draftInvoice, type InvoiceDraft, type Issuing } from "./invoice-draft.server";
import { queueInvoiceMails } from "./invoice-mail.server";
import { whyNoInvoice } from "./invoice.policy";
import { shareOf } from "./monthly-draft.server";

/**
 * Returns the order's invoice that has no credit note, or null.
 *
 * @param invoices All invoices and credit notes of the order, the oldest first.
 */
export const currentInvoice = (invoices: readonly InvoiceRow[]): InvoiceRow | null => {
  const last = invoices.at(-1);
  return last?.kind === "invoice" ? last : null;
};

/** Returns the round of the next invoice of an order: how many invoices it has had. */
export const nextRound = (invoices: readonly InvoiceRow[]): number =>
  invoices.filter(({ kind }) => kind === "invoice").length;

/** The id of an issued document, and its number as people see it. */
export interface Issued {
  id: number;
  number: string;
}

/** An order that a document is for. */
interface InvoicedRow {
  order: OrderRow;
  /** Who gets the messages about the order (`recipientFor`). */
  recipient: UserRow;
  round: number;
}

/** What an invoice or credit note will contain, and its orders: those of its content, in the same sequence. */
export interface DraftOfDocument {
  rows: readonly [InvoicedRow, ...InvoicedRow[]];
  draft: InvoiceDraft;
  actor: Actor;
}

/** Returns an entry of the audit trail for each order of a document. */
function auditsOf({ rows, draft, actor }: DraftOfDocument, number: string): AuditEntry[] {
  const { kind, totalCents, credits } = draft;
  const about = credits ? `for invoice ${credits.number}: ${credits.reason}` : `for ${ordersText(draft)}.`;
  const message = `${KIND_LABELS[kind]} ${number} of ${formatEuro(totalCents)} was issued ${about}`;
  const event = credits ? "invoice.credited" : "invoice.issued";
  return rows.map(({ order }) => ({
    actor,
    event,
    message,
    userId: order.userId,
    orderId: order.id,
    reference: number,
  }));
}

/** Returns who gets a document: the recipient of each of its orders, once. */
const addressees = ({ rows }: DraftOfDocument): InvoicedRow[] => [
  ...new Map(rows.toReversed().map((row) => [row.recipient.id, row])).values(),
];

/**
 * Assigns the numbers of documents of one kind, each of other orders, and stores them with their audit entries and emails. Returns them by
 * order.
 */
async function storeAll(
  trx: Trx,
  kind: InvoiceKind,
  drafts: readonly DraftOfDocument[],
  now: Date,
): Promise<Map<number, Issued>> {
  if (drafts.length === 0) return new Map();
  const year = now.getUTCFullYear();
  const first = await takeInvoiceNumbers(trx, kind, year, drafts.length);
  const numbered = drafts.map((one, index) => {
    const number = first + index;
    const full = invoiceNumber({ kind, year, number });
    const content: InvoiceContent = { ...one.draft, number: full, issuedAt: now.toISOString() };
    return { ...one, number, content };
  });
  const ids = await insertInvoices(
    trx,
    numbered.map(({ rows: [{ order, round }], number, content }) => ({
      kind,
      year,
      number,
      orderId: order.id,
      round,
      totalCents: content.totalCents,
      content: JSON.stringify(content),
      issuedAt: now,
    })),
  );
  const stored = numbered.map((one) => ({ ...one, id: ids.get(one.rows[0].order.id) as number }));
  await insertFurtherOrders(
    trx,
    stored.flatMap(({ id, rows: [, ...further] }) =>
      further.map(({ order, round }) => ({ invoiceId: id, orderId: order.id, kind, round })),
    ),
  );
  await recordAudits(
    trx,
    stored.flatMap((one) => auditsOf(one, one.content.number)),
    now,
  );
  await queueInvoiceMails(
    trx,
    stored.flatMap(({ id, content, ...one }) =>
      addressees(one).map(({ order, recipient }) => ({ id, content, order, recipient })),
    ),
    now,
  );
  return new Map(
    stored.flatMap(({ id, rows, content }) =>
      rows.map(({ order }) => [order.id, { id, number: content.number }] as const),
    ),
  );
}

const midnight = (now: Date) => `${now.toISOString().slice(0, 10)}T00:00:00.000Z`;

/** Returns why no invoice can be issued for an order, or null. `invoices` are all of its invoices and credit notes, the oldest first. */
export const whyNotInvoiced = (order: OrderRow, invoices: readonly InvoiceRow[], certificate: CertificateRow | null) =>
  whyNoInvoice(order, currentInvoice(invoices) !== null, certificate?.status);

/** Returns whether `issueDueInvoices` would issue an invoice. */
export async function isInvoiceDue(trx: Trx, order: OrderRow): Promise<boolean> {
  const certificate = await findCertificateByOrder(trx, order.id);
  return whyNotInvoiced(order, await listInvoicesOf(trx, [order.id]), certificate) === null;
}

/** An order whose invoice is to be issued, and who issues it. */
export interface OrderToInvoice {
  orderId: number;
  actor: Actor;
  /** What the transaction has already read: the certificate of the order, and who gets its messages (`recipientFor`). */
  known?: { certificate: CertificateRow; recipient: UserRow };
  /** The invoice that the new one replaces, and its tax point (`Issuing`). */
  replacing?: Pick<Issuing, "taxPoint" | "replaces">;
}

/** Stores invoices, each of other orders, with what their orders say about them. Returns them by order. Locks the orders before. */
export async function storeInvoices(
  trx: Trx,
  drafts: readonly DraftOfDocument[],
  now: Date,
): Promise<Map<number, Issued>> {
  const issued = await storeAll(trx, "invoice", drafts, now);
  const changes = drafts
    .flatMap(({ rows }) => rows)
    .map(({ order: { id, status, totalCents } }) => ({
      id,
      status: status === "Paid" ? status : ("Invoiced" as const),
      invoiceNumber: issued.get(id)?.number ?? null,
      invoiceCents: totalCents,
      invoiceDate: midnight(now),
    }));
  await setOrderInvoices(trx, changes, now);
  return issued;
}

/** Issues the invoices of different orders. Returns for each order its invoice, or the reason why none can be issued. */
async function issueAll(trx: Trx, orders: readonly OrderToInvoice[], now: Date): Promise<Map<number, Issued | string>> {
  const answers = new Map<number, Issued | string>();
  const ids = orders.map(({ orderId }) => orderId);
  if (ids.length === 0) return answers;
  const rows = new Map((await lockOrders(trx, ids)).map((row) => [row.id, row]));
  const invoices = await listInvoicesOf(trx, ids);
  const drafts: DraftOfDocument[] = [];
  for (const { orderId, actor, known, replacing } of orders) {
    const order = rows.get(orderId);
    if (!order) throw new Error(`There is no order ${orderId}.`);
    const own = invoices.filter((invoice) => invoice.orderId === orderId);
    const certificate = known?.certificate ?? (await findCertificateByOrder(trx, orderId));
    const barrier = whyNotInvoiced(order, own, certificate);
    if (barrier !== null) {
      answers.set(orderId, barrier);
      continue;
    }
    const draft = await draftInvoice(trx, order, certificate, { now, ...replacing });
    const recipient = known?.recipient ?? (await recipientFor(trx, order));
    drafts.push({ rows: [{ order, recipient, round: nextRound(own) }], draft, actor });
  }
  for (const [orderId, invoice] of await storeInvoices(trx, drafts, now)) answers.set(orderId, invoice);
  return answers;
}

/**
 * Issues the invoices of different orders in the transaction of the change that makes them due. It should be the last step, because other
 * transactions wait for the next number. Returns the invoices by order. An order that needs none has none: nothing is to be paid, or it has
 * been invoiced by the portal or by hand.
 */
export async function issueDueInvoices(
  trx: Trx,
  orders: readonly OrderToInvoice[],
  now: Date,
): Promise<Map<number, Issued>> {
  const issued = new Map<number, Issued>();
  for (const [orderId, answer] of await issueAll(trx, orders, now))
    if (typeof answer !== "string") issued.set(orderId, answer);
  return issued;
}

/** Issues the invoice of an order that somebody requested. Throws a PortalError that says why none can be issued. */
export async function issueAskedInvoice(trx: Trx, orderId: number, actor: Actor, now: Date): Promise<Issued> {
  const issued = (await issueAll(trx, [{ orderId, actor }], now)).get(orderId) as Issued | string;
  if (typeof issued === "string") throw new PortalError(issued, { code: "invoice.not-issued" });
  return issued;
}

/** What of an invoice is cancelled, and why. */
export interface Crediting {
  orderId: number;
  /** When given, the only invoice that may be cancelled. */
  invoiceId?: number;
  /** Whether all orders of a monthly invoice are credited that still have it. Otherwise the one order is. */
  isWhole?: boolean;
  reason: string;
}

/** Returns the orders that a credit note is for, locked, each with its invoice, which is the same for all. */
async function creditedOrders(trx: Trx, { orderId, isWhole = false }: Crediting) {
  const invoiceOf = (invoices: readonly InvoiceRow[], id: number) =>
    currentInvoice(invoices.filter((one) => one.orderId === id));
  const found = invoiceOf(await listInvoicesOf(trx, [orderId]), orderId);
  const ids = isWhole && found ? ((await listOrdersOfInvoices(trx, [found.id])).get(found.id) ?? []) : [orderId];
  const orders = await lockOrders(trx, ids);
  const invoices = await listInvoicesOf(trx, ids);
  const current = orders.map((order) => ({ order, invoice: invoiceOf(invoices, order.id) }));
  const asked = current.find(({ order }) => order.id === orderId)?.invoice;
  return current.flatMap(({ order, invoice }) => (invoice && invoice.id === asked?.id ? { order, invoice } : []));
}

/**
 * Cancels the invoice of an order by a credit note, in the transaction of the change that requires it. Of a monthly invoice only the order's
 * part is cancelled, unless the whole is asked for. Afterwards the orders have no invoice, and the status Invoiced becomes Open. Returns the
 * credit note, or null when there is no such invoice.
 */
export async function creditInvoice(trx: Trx, crediting: Crediting, actor: Actor, now: Date): Promise<Issued | null> {
  const { orderId, invoiceId, reason } = crediting;
  const credited = await creditedOrders(trx, crediting);
  const invoice = credited[0]?.invoice;
  if (!invoice || (invoiceId !== undefined && invoice.id !== invoiceId)) return null;
  const whole = parseInvoiceContent(invoice.content);
  const numbers = credited.map(({ order }) => orderNumber(order.id));
  const { number, issuedAt, replaces: _, ...said } = shareOf(whole, numbers);
  const vatNote = noteWhenCredited(said.vatNote);
  const isPart = (whole.orders ?? []).length > credited.length;
  const credits = { number, issuedAt, reason, ...(isPart && { isPart }) };
  const draft: InvoiceDraft = { ...said, kind: "credit-note", vatNote, credits };
  const recipientOf = await recipientsFor(
    trx,
    credited.map(({ order }) => order),
  );
  const rows = credited.map(({ order, invoice: { round } }) => ({ order, recipient: recipientOf(order), round }));
  const [first, ...others] = rows as [InvoicedRow, ...InvoicedRow[]];
  const notes = await storeAll(trx, "credit-note", [{ rows: [first, ...others], draft, actor }], now);
  const changes = rows.map(({ order: { id, status } }) => ({
    id,
    status: status === "Invoiced" ? ("Open" as const) : status,
    invoiceNumber: null,
    invoiceCents: null,
    invoiceDate: null,
  }));
  await setOrderInvoices(trx, changes, now);
  return notes.get(orderId) ?? null;
}
