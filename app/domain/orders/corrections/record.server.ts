import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { type Trx } from "~db/connection.server";
import { takeInvoiceNumbers } from "~db/repositories/invoices.server";
import { insertOrderCorrection } from "~db/repositories/order-corrections.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { type CorrectionKind } from "~db/tables";
import { orderNumber } from "../order-number";
import { type Correction, correctionNumber } from "./correction";

/** A correction of an order that a member of its company makes. */
export interface NewCorrection {
  order: Pick<OrderRow, "id" | "userId">;
  /** The certificate of the order, or null for an order of codes. */
  ofCertificateId: number | null;
  kind: CorrectionKind;
  changes: readonly Correction[];
  creditNoteId?: number | null;
  invoiceId?: number | null;
  /** The certificate that was ordered by a reissue. */
  certificateId?: number | null;
  /** What happened besides the changes, in whole sentences, for the audit trail. It names no person, as the trail is kept. */
  outcome?: string;
}

/**
 * Gives a correction the next number of the year, and stores it with its audit entry in the transaction of the change. Returns the number,
 * such as "COR-2026-0001". Call it late: others who correct an order at the same time wait for the number.
 */
export async function recordCorrection(
  trx: Trx,
  user: SessionUser,
  { order, ofCertificateId, kind, changes, outcome = "", ...documents }: NewCorrection,
  now: Date,
): Promise<string> {
  const year = now.getUTCFullYear();
  const number = await takeInvoiceNumbers(trx, "correction", year, 1);
  const reference = correctionNumber({ year, number });
  const row = { year, number, orderId: order.id, kind, changes: JSON.stringify(changes), ...documents };
  await insertOrderCorrection(trx, { ...row, madeBy: user.id, createdAt: now });
  // The values are personal data and are with the correction. The trail names the fields only.
  const fields = changes.map(({ label }) => label).join(", ");
  const done = kind === "reissue" ? "Requested a correction of the certificate of order" : "Corrected order";
  const message = [`${done} ${orderNumber(order.id)}: ${fields}.`, outcome].filter(Boolean).join(" ");
  const about = { userId: order.userId, orderId: order.id, certificateId: ofCertificateId, reference };
  await recordAudit(trx, { actor: user.actor, event: "order.corrected", message, ...about }, now);
  return reference;
}
