import { createHash } from "node:crypto";
import { type SessionUser } from "~/domain/accounts/session-user";
import { mayFor } from "~/domain/companies/roles.policy";
import { notFound } from "~/lib/errors";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { type CertificateRow, findCertificateByOrder } from "~db/repositories/certificates.server";
import { type InvoiceRow, listInvoicesOf } from "~db/repositories/invoices.server";
import { listCorrectionsOf, type OrderCorrectionRow } from "~db/repositories/order-corrections.server";
import { findOrder, lockOrder, type OrderRow } from "~db/repositories/orders.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { type CorrectableOrder, whyNotCorrect } from "./corrections.policy";

/** What is stored about an order that is to be corrected. */
export interface CorrectionState {
  order: OrderRow;
  /** Null for an order of codes. */
  certificate: CertificateRow | null;
  /** The invoices and credit notes, the oldest first. */
  invoices: readonly InvoiceRow[];
  /** The corrections so far, the oldest first. */
  corrections: readonly OrderCorrectionRow[];
}

async function stateOf(db: DbOrTrx, order: OrderRow, certificate: CertificateRow | null): Promise<CorrectionState> {
  const [invoices, corrections] = [await listInvoicesOf(db, [order.id]), await listCorrectionsOf(db, [order.id])];
  return { order, certificate, invoices, corrections };
}

/** Returns what is stored about an order, or null when there is none. */
export async function findCorrectionState(db: DbOrTrx, orderId: number): Promise<CorrectionState | null> {
  const order = await findOrder(db, orderId);
  return order && stateOf(db, order, await findCertificateByOrder(db, orderId));
}

/** Returns what is stored about an order and locks it until the transaction ends. The certificate is locked first, as by its issue. */
export async function lockCorrectionState(trx: Trx, orderId: number): Promise<CorrectionState> {
  const found = await findCertificateByOrder(trx, orderId);
  const certificate = found && (await lockCertificate(trx, found.id));
  const order = await lockOrder(trx, orderId);
  if (!order) throw notFound();
  return stateOf(trx, order, certificate);
}

/** Returns what decides whether the order can be corrected. */
export const correctableOf = ({ order, certificate, invoices, corrections }: CorrectionState): CorrectableOrder => ({
  status: order.status,
  createdAt: order.createdAt,
  totalCents: order.totalCents,
  firstInvoicedAt: invoices[0]?.issuedAt ?? order.invoiceDate,
  paymentDate: order.paymentDate,
  certificate: certificate && { status: certificate.status, issuedAt: certificate.issuedAt },
  made: corrections.filter(({ certificateId }) => certificateId === null).length,
});

/** Returns a text that is another one after each change of what a correction is about. */
export function correctionVersionOf({ order, certificate, corrections }: CorrectionState): string {
  const contacts = [certificate?.technicalContact, certificate?.authenticationContact, certificate?.contactAnswer];
  const parts = [order.updatedAt, corrections.length, ...contacts];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Returns whether this user may correct an order now. */
export async function mayCorrectOrder(user: SessionUser, orderId: number, now: Date): Promise<boolean> {
  const state = await findCorrectionState(getDb(), orderId);
  if (!state || !mayFor(user, state.order, "place-orders")) return false;
  return whyNotCorrect(correctableOf(state), now) === null;
}
