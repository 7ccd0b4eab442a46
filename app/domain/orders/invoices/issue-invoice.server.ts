import { type Actor, type AuditEntry, recordAudits } from "~/domain/audit/audit.service.server";
import { recipientFor } from "~/domain/companies/recipient.server";
import { PortalError } from "~/lib/errors";
import { formatEuro } from "~/lib/money";
import { type Trx } from "~db/connection.server";
import { type CertificateRow, findCertificateByOrder } from "~db/repositories/certificates.server";
import {
  insertInvoices,
  type InvoiceRow,
  listInvoicesOf,
  setOrderInvoices,
  takeInvoiceNumbers,
} from "~db/repositories/invoices.server";
import { lockOrder, lockOrders, type OrderRow } from "~db/repositories/orders.server";
import { type UserRow } from "~db/repositories/users.server";
import { type InvoiceKind } from "~db/tables";
import { noteWhenCredited } from "../price.policy";
import { type InvoiceContent, invoiceNumber, KIND_LABELS, parseInvoiceContent } from "./invoice-content";
import { draftInvoice, type InvoiceDraft, type Issuing } from "./invoice-draft.server";
import { queueInvoiceMails } from "./invoice-mail.server";
import { whyNoInvoice } from "./invoice.policy";

/**
 * Returns the order's invoice that has no credit note, or null.
 *
 * @param invoices All invoices and credit notes of the order, the oldest first.
 */
export const currentInvoice = (invoices: readonly InvoiceRow[]): InvoiceRow | null => {
  const last = invoices.at(-1);
  return last?.kind === "invoice" ? last : null;
};

const nextRound = (invoices: readonly InvoiceRow[]) => invoices.filter(({ kind }) => kind === "invoice").length;

/** The id of an issued document, and its number as people see it. */
export interface Issued {
  id: number;
  number: string;
}

/** What an invoice or credit note will contain, and the round of its order to which it belongs. */
interface DraftOfOrder {
  order: OrderRow;
  /** Who gets the messages about the order (`recipientFor`). */
  recipient: UserRow;
  draft: InvoiceDraft;
  round: number;
  actor: Actor;
}

function auditOf({ order, draft, actor }: DraftOfOrder, number: string): AuditEntry {
  const { kind, totalCents, credits } = draft;
  const about = credits ? ` for invoice ${credits.number}: ${credits.reason}` : ` for order ${draft.orderNumber}.`;
  const message = `${KIND_LABELS[kind]} ${number} of ${formatEuro(totalCents)} was issued${about}`;
  const event = credits ? "invoice.credited" : "invoice.issued";
  return { actor, event, message, userId: order.userId, orderId: order.id, reference: number };
}

/**
 * Assigns the numbers of documents of one kind, each of another order, and stores them with their audit entries and emails. Returns them by
 * order.
 */
async function storeAll(
  trx: Trx,
  kind: InvoiceKind,
  drafts: readonly DraftOfOrder[],
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
    numbered.map(({ order, round, number, content }) => ({
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
  const stored = numbered.map((one) => ({ ...one, id: ids.get(one.order.id) as number }));
  await recordAudits(
    trx,
    stored.map((one) => auditOf(one, one.content.number)),
    now,
  );
  await queueInvoiceMails(trx, stored, now);
  return new Map(stored.map(({ id, order, content }) => [order.id, { id, number: content.number }]));
}

const midnight = (now: Date) => `${now.toISOString().slice(0, 10)}T00:00:00.000Z`;

const whyNotIssued = (order: OrderRow, invoices: readonly InvoiceRow[], certificate: CertificateRow | null) =>
  whyNoInvoice(order, currentInvoice(invoices) !== null, certificate?.status);

/** Returns whether `issueDueInvoices` would issue an invoice. */
export async function isInvoiceDue(trx: Trx, order: OrderRow): Promise<boolean> {
  const certificate = await findCertificateByOrder(trx, order.id);
  return whyNotIssued(order, await listInvoicesOf(trx, [order.id]), certificate) === null;
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

/** Issues the invoices of different orders. Returns for each order its invoice, or the reason why none can be issued. */
async function issueAll(trx: Trx, orders: readonly OrderToInvoice[], now: Date): Promise<Map<number, Issued | string>> {
  const answers = new Map<number, Issued | string>();
  const ids = orders.map(({ orderId }) => orderId);
  if (ids.length === 0) return answers;
  const rows = new Map((await lockOrders(trx, ids)).map((row) => [row.id, row]));
  const invoices = await listInvoicesOf(trx, ids);
  const drafts: DraftOfOrder[] = [];
  for (const { orderId, actor, known, replacing } of orders) {
    const order = rows.get(orderId);
    if (!order) throw new Error(`There is no order ${orderId}.`);
    const own = invoices.filter((invoice) => invoice.orderId === orderId);
    const certificate = known?.certificate ?? (await findCertificateByOrder(trx, orderId));
    const barrier = whyNotIssued(order, own, certificate);
    if (barrier !== null) {
      answers.set(orderId, barrier);
      continue;
    }
    const draft = await draftInvoice(trx, order, certificate, { now, ...replacing });
    const recipient = known?.recipient ?? (await recipientFor(trx, order));
    drafts.push({ order, recipient, draft, round: nextRound(own), actor });
  }
  const issued = await storeAll(trx, "invoice", drafts, now);
  const changes = drafts.map(({ order: { id, status, totalCents } }) => ({
    id,
    status: status === "Paid" ? status : ("Invoiced" as const),
    invoiceNumber: issued.get(id)?.number ?? null,
    invoiceCents: totalCents,
    invoiceDate: midnight(now),
  }));
  await setOrderInvoices(trx, changes, now);
  for (const [orderId, invoice] of issued) answers.set(orderId, invoice);
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

/**
 * Cancels the invoice of an order by a credit note, in the transaction of the change that requires it. Afterwards the order has no invoice,
 * and the status Invoiced becomes Open. Returns the credit note, or null when there is no such invoice.
 *
 * `invoiceId`, when given, is the only invoice that may be cancelled.
 */
export async function creditInvoice(
  trx: Trx,
  { orderId, invoiceId, reason }: { orderId: number; invoiceId?: number; reason: string },
  actor: Actor,
  now: Date,
): Promise<Issued | null> {
  const order = await lockOrder(trx, orderId);
  const invoice = order && currentInvoice(await listInvoicesOf(trx, [orderId]));
  if (!invoice || (invoiceId !== undefined && invoice.id !== invoiceId)) return null;
  const { number, issuedAt, replaces: _, ...said } = parseInvoiceContent(invoice.content);
  const vatNote = noteWhenCredited(said.vatNote);
  const draft: InvoiceDraft = { ...said, kind: "credit-note", vatNote, credits: { number, issuedAt, reason } };
  const recipient = await recipientFor(trx, order);
  const notes = await storeAll(trx, "credit-note", [{ order, recipient, draft, round: invoice.round, actor }], now);
  const status = order.status === "Invoiced" ? "Open" : order.status;
  const change = { id: orderId, status, invoiceNumber: null, invoiceCents: null, invoiceDate: null };
  await setOrderInvoices(trx, [change], now);
  return notes.get(orderId) ?? null;
}
