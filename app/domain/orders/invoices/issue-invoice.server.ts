import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { recipientFor } from "~/domain/companies/recipient.server";
import { PortalError } from "~/lib/errors";
import { formatEuro } from "~/lib/money";
import { type Trx } from "~db/connection.server";
import { type CertificateRow, findCertificateByOrder } from "~db/repositories/certificates.server";
import {
  insertInvoice,
  type InvoiceRow,
  listInvoicesOf,
  setOrderInvoice,
  takeInvoiceNumber,
} from "~db/repositories/invoices.server";
import { lockOrder, type OrderRow } from "~db/repositories/orders.server";
import { type UserRow } from "~db/repositories/users.server";
import { noteWhenCredited } from "../price.policy";
import { type InvoiceContent, invoiceNumber, KIND_LABELS, parseInvoiceContent } from "./invoice-content";
import { draftInvoice, type InvoiceDraft } from "./invoice-draft.server";
import { queueInvoiceMail } from "./invoice-mail.server";
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

/** Assigns the number of a document and stores it with its audit entry and email. */
async function store(
  trx: Trx,
  { order, recipient }: { order: OrderRow; recipient: UserRow },
  draft: InvoiceDraft,
  round: number,
  actor: Actor,
  now: Date,
): Promise<Issued> {
  const { kind, totalCents, credits } = draft;
  const year = now.getUTCFullYear();
  const number = await takeInvoiceNumber(trx, kind, year);
  const content: InvoiceContent = {
    ...draft,
    number: invoiceNumber({ kind, year, number }),
    issuedAt: now.toISOString(),
  };
  const id = await insertInvoice(trx, {
    kind,
    year,
    number,
    orderId: order.id,
    round,
    totalCents,
    content: JSON.stringify(content),
    issuedAt: now,
  });
  const about = credits ? ` for invoice ${credits.number}: ${credits.reason}` : ` for order ${content.orderNumber}.`;
  const message = `${KIND_LABELS[kind]} ${content.number} of ${formatEuro(totalCents)} was issued${about}`;
  const event = credits ? "invoice.credited" : "invoice.issued";
  const { userId, id: orderId } = order;
  await recordAudit(trx, { actor, event, message, userId, orderId, reference: content.number }, now);
  await queueInvoiceMail(trx, order, recipient, { id, content }, now);
  return { id, number: content.number };
}

const midnight = (now: Date) => `${now.toISOString().slice(0, 10)}T00:00:00.000Z`;

const whyNotIssued = (order: OrderRow, invoices: readonly InvoiceRow[], certificate: CertificateRow | null) =>
  whyNoInvoice(order, currentInvoice(invoices) !== null, certificate?.status);

/** Returns whether `issueDueInvoice` would issue an invoice. */
export async function isInvoiceDue(trx: Trx, order: OrderRow): Promise<boolean> {
  const certificate = await findCertificateByOrder(trx, order.id);
  return whyNotIssued(order, await listInvoicesOf(trx, order.id), certificate) === null;
}

/** What a transaction has already read of an order of a certificate. */
interface KnownOfOrder {
  certificate: CertificateRow;
  /** Who gets the messages about the order (`recipientFor`). */
  recipient: UserRow;
}

/** Issues the invoice of an order. Returns the invoice, or the reason why none can be issued. */
async function issue(
  trx: Trx,
  orderId: number,
  actor: Actor,
  now: Date,
  known?: KnownOfOrder,
): Promise<Issued | string> {
  const order = await lockOrder(trx, orderId);
  if (!order) throw new Error(`There is no order ${orderId}.`);
  const invoices = await listInvoicesOf(trx, orderId);
  const certificate = known?.certificate ?? (await findCertificateByOrder(trx, orderId));
  const barrier = whyNotIssued(order, invoices, certificate);
  if (barrier !== null) return barrier;
  const draft = await draftInvoice(trx, order, certificate, now);
  const recipient = known?.recipient ?? (await recipientFor(trx, order));
  const invoice = await store(trx, { order, recipient }, draft, nextRound(invoices), actor, now);
  const status = order.status === "Paid" ? "Paid" : "Invoiced";
  const columns = { invoiceNumber: invoice.number, invoiceCents: order.totalCents, invoiceDate: midnight(now) };
  await setOrderInvoice(trx, orderId, { status, ...columns }, now);
  return invoice;
}

/**
 * Issues the invoice of an order in the transaction of the change that makes it due. It should be the last step, because other transactions
 * wait for the next number. Returns the invoice, or null when the order needs none: nothing is to be paid, or it has been invoiced by the
 * portal or by hand. `known` is what the transaction has already read.
 */
export async function issueDueInvoice(
  trx: Trx,
  orderId: number,
  actor: Actor,
  now: Date,
  known?: KnownOfOrder,
): Promise<Issued | null> {
  const issued = await issue(trx, orderId, actor, now, known);
  return typeof issued === "string" ? null : issued;
}

/** Issues the invoice of an order that somebody requested. Throws a PortalError that says why none can be issued. */
export async function issueAskedInvoice(trx: Trx, orderId: number, actor: Actor, now: Date): Promise<Issued> {
  const issued = await issue(trx, orderId, actor, now);
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
  const invoice = order && currentInvoice(await listInvoicesOf(trx, orderId));
  if (!invoice || (invoiceId !== undefined && invoice.id !== invoiceId)) return null;
  const { number, issuedAt, ...said } = parseInvoiceContent(invoice.content);
  const vatNote = noteWhenCredited(said.vatNote);
  const draft: InvoiceDraft = { ...said, kind: "credit-note", vatNote, credits: { number, issuedAt, reason } };
  const recipient = await recipientFor(trx, order);
  const note = await store(trx, { order, recipient }, draft, invoice.round, actor, now);
  const status = order.status === "Invoiced" ? "Open" : order.status;
  await setOrderInvoice(trx, orderId, { status, invoiceNumber: null, invoiceCents: null, invoiceDate: null }, now);
  return note;
}
