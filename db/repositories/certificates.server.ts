import { type DbOrTrx, type Trx } from "../connection.server";
import { type CertificateStatus, type NewRow, type Row } from "../tables";

export type CertificateRow = Row<"certificates">;
type Change = Partial<Omit<NewRow<"certificates">, "id" | "orderId" | "updatedAt">>;

/** Who may see a certificate: its owner, and every administrator. */
export interface Viewer {
  id: number;
  isAdmin: boolean;
}

/** Stores an ordered certificate. Out: its id. One per order: a second one for the same order fails. */
export async function insertCertificate(trx: Trx, certificate: NewRow<"certificates">): Promise<number> {
  return (await trx.insertInto("certificates").values(certificate).returning("id").executeTakeFirstOrThrow()).id;
}

export const findCertificate = async (db: DbOrTrx, id: number): Promise<CertificateRow | null> =>
  (await db.selectFrom("certificates").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;

export const findCertificateByOrder = async (db: DbOrTrx, orderId: number): Promise<CertificateRow | null> =>
  (await db.selectFrom("certificates").selectAll().where("orderId", "=", orderId).executeTakeFirst()) ?? null;

/** The orders of these certificates, by certificate. */
export async function listOrderIdsOf(db: DbOrTrx, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("certificates").select(["id", "orderId"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, orderId }) => [id, orderId]));
}

/** The certificate if it exists and this user may see it; somebody else's looks like a missing one. */
export async function findVisibleCertificate(db: DbOrTrx, id: number, viewer: Viewer): Promise<CertificateRow | null> {
  const row = await findCertificate(db, id);
  return row && (viewer.isAdmin || row.userId === viewer.id) ? row : null;
}

/** The replacement of a certificate that was ordered with this very CSR, or null; an ended order does not count. */
export const findReissueByCsr = async (
  db: DbOrTrx,
  previousId: number,
  csrSha256: string,
): Promise<CertificateRow | null> =>
  (await db
    .selectFrom("certificates")
    .selectAll()
    .where("previousCertificateId", "=", previousId)
    .where("orderType", "=", "Initial")
    .where("csrSha256", "=", csrSha256)
    .where("status", "not in", ["Cancelled", "Rejected"])
    .executeTakeFirst()) ?? null;

/** Every certificate of this key in one of these states, whoever owns it. */
export const listCertificatesOfKey = (
  db: DbOrTrx,
  keyIdentity: string,
  statuses: readonly CertificateStatus[],
): Promise<CertificateRow[]> =>
  db
    .selectFrom("certificates")
    .selectAll()
    .where("keyIdentity", "=", keyIdentity)
    .where("status", "in", statuses)
    .orderBy("id")
    .execute();

/**
 * Changes a certificate that still is in one of these states; the condition is part of the statement, so that of two callers one wins.
 * Out: false when it was in none of them any more.
 */
export async function changeCertificate(
  trx: Trx,
  id: number,
  from: readonly CertificateStatus[],
  change: Change,
  now = new Date(),
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("certificates")
    .set({ ...change, updatedAt: now })
    .where("id", "=", id)
    .where("status", "in", from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const updateOpenOrder = (trx: Trx, id: number, change: Change, now: Date) =>
  trx
    .updateTable("certificates")
    .set({ ...change, updatedAt: now })
    .where("id", "=", id)
    .where("status", "=", "Pending")
    .where("tbsCertificate", "is", null);

/**
 * Changes an order about which nothing is decided: pending, and nothing recorded for signing. Out: false when that is over.
 * The condition is part of the statement, so that of two callers one wins.
 */
export async function changeOpenOrder(trx: Trx, id: number, change: Change, now = new Date()): Promise<boolean> {
  return (await updateOpenOrder(trx, id, change, now).executeTakeFirst()).numUpdatedRows === 1n;
}

/** The authentication contact's answer to an open order, by the link or by staff: the first one stays. Out: whether this is it. */
export async function storeContactAnswer(
  trx: Trx,
  id: number,
  answer: Pick<Change, "contactAnswer" | "contactAnsweredAt" | "contactAnswerBy" | "contactNote">,
  now = new Date(),
): Promise<boolean> {
  const update = updateOpenOrder(trx, id, answer, now).where("contactAnswer", "is", null);
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}

const NOTES = [
  ["contactNote", "contactAnswer"],
  ["organisationNote", "organisationCheckedAt"],
  ["csrNote", "csrCheckedAt"],
  ["decisionReason", "decidedAt"],
] as const;

/**
 * Keeps the notes of checks that are still to be recorded, and the reason of a decision that is still to be taken; empty ones, and
 * those of recorded checks, change nothing.
 */
export async function keepNotes(
  trx: Trx,
  id: number,
  notes: Readonly<Record<(typeof NOTES)[number][0], string>>,
  now = new Date(),
): Promise<void> {
  for (const [note, recorded] of NOTES) {
    if (notes[note] === "") continue;
    await updateOpenOrder(trx, id, { [note]: notes[note] }, now)
      .where(recorded, "is", null)
      .execute();
  }
}

export interface RecordedTbs {
  authorityId: number;
  /** Upper-case hex. */
  serialNumber: string;
  tbsCertificate: Buffer;
  certificateProfile: string;
  decidedAt: Date;
  decidedBy: number;
}

/**
 * Records what is about to be signed, once. A reason against the order that was typed before is none of its approval.
 * Out: false when the order is not open any more.
 */
export const recordTbs = (trx: Trx, id: number, tbs: RecordedTbs): Promise<boolean> =>
  changeOpenOrder(trx, id, { ...tbs, decisionReason: null }, tbs.decidedAt);

export interface IssuedCertificate {
  der: Buffer;
  thumbprint: string;
  issuedAt: Date;
  startDate: string;
  expiryDate: string;
  searchText: string;
}

/** Stores the signed certificate, once. Out: false when it is stored already. */
export async function storeIssued(
  trx: Trx,
  id: number,
  serialNumber: string,
  issued: IssuedCertificate,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("certificates")
    .set({ ...issued, status: "Issued", updatedAt: issued.issuedAt })
    .where("id", "=", id)
    .where("serialNumber", "=", serialNumber)
    .where("der", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Opens an order again whose recorded certificate must not be issued. Out: false when it is stored or undone already. */
export async function clearTbs(trx: Trx, id: number, serialNumber: string, now = new Date()): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("certificates")
    .set({
      authorityId: null,
      serialNumber: null,
      tbsCertificate: null,
      certificateProfile: null,
      decidedAt: null,
      decidedBy: null,
      updatedAt: now,
    })
    .where("id", "=", id)
    .where("serialNumber", "=", serialNumber)
    .where("status", "=", "Pending")
    .where("der", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Orders whose issuing began and did not end. */
export const listInterrupted = (db: DbOrTrx): Promise<CertificateRow[]> =>
  db
    .selectFrom("certificates")
    .selectAll()
    .where("status", "=", "Pending")
    .where("tbsCertificate", "is not", null)
    .where("der", "is", null)
    .orderBy("id")
    .execute();

/** Revocations asked for a moment that has come. */
export const listDueRevocations = (db: DbOrTrx, now: Date): Promise<CertificateRow[]> =>
  db
    .selectFrom("certificates")
    .selectAll()
    .where("status", "=", "RequestRevoke")
    .where("revocationDate", "<=", now.toISOString())
    .orderBy("id")
    .execute();

/** Returns when the next scheduled revocation of a CA's certificates is to be carried out; null when none is scheduled. */
export async function findNextRevocation(db: DbOrTrx, authorityId: number): Promise<Date | null> {
  const { next } = await db
    .selectFrom("certificates")
    .select((eb) => eb.fn.min("revocationDate").as("next"))
    .where("status", "=", "RequestRevoke")
    .where("authorityId", "=", authorityId)
    .executeTakeFirstOrThrow();
  return next === null ? null : new Date(next);
}

/** Closes the sales order of a certificate that will not be issued; one that is invoiced or paid stays with the administrators. */
export async function cancelSalesOrder(trx: Trx, orderId: number, now = new Date()): Promise<void> {
  await trx
    .updateTable("orders")
    .set({ status: "Cancelled", updatedAt: now })
    .where("id", "=", orderId)
    .where("status", "=", "Open")
    .execute();
}
