import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { givenRows } from "../given-rows.server";
import { type CertificateStatus, type NewRow, type Row } from "../tables";
import { copyCertificateNotes } from "./certificate-notes.server";

export type CertificateRow = Row<"certificates">;
type Change = Partial<Omit<NewRow<"certificates">, "id" | "orderId" | "updatedAt">>;

const isPostgres = () => getConnection().dialect === "postgres";

/**
 * Stores an ordered certificate and returns its id. It begins with a copy of the notes about the certificate that it renews or replaces.
 * Fails when the order already has one.
 */
export async function insertCertificate(trx: Trx, certificate: NewRow<"certificates">): Promise<number> {
  const { id } = await trx.insertInto("certificates").values(certificate).returning("id").executeTakeFirstOrThrow();
  const { previousCertificateId } = certificate;
  if (previousCertificateId) await copyCertificateNotes(trx, previousCertificateId, id);
  return id;
}

export const findCertificate = async (db: DbOrTrx, id: number): Promise<CertificateRow | null> =>
  (await db.selectFrom("certificates").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;

/** Returns these certificates, by id. */
export const listCertificatesById = (db: DbOrTrx, ids: readonly number[]): Promise<CertificateRow[]> =>
  db.selectFrom("certificates").selectAll().where("id", "in", ids).orderBy("id").execute();

/** Returns these certificates, by id, and locks them against every other change until the transaction ends. */
export function lockCertificates(trx: Trx, ids: readonly number[]): Promise<CertificateRow[]> {
  const rows = trx.selectFrom("certificates").selectAll().where("id", "in", ids).orderBy("id");
  // On SQLite a transaction is the only writer.
  return (isPostgres() ? rows.forNoKeyUpdate() : rows).execute();
}

export const findCertificateByOrder = async (db: DbOrTrx, orderId: number): Promise<CertificateRow | null> =>
  (await db.selectFrom("certificates").selectAll().where("orderId", "=", orderId).executeTakeFirst()) ?? null;

/** Returns the order ids of these certificates, by certificate id. */
export async function listOrderIdsOf(db: DbOrTrx, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("certificates").select(["id", "orderId"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, orderId }) => [id, orderId]));
}

/** Returns the reissue of a certificate that was ordered with exactly this CSR, or null. Cancelled and rejected orders do not count. */
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

/** Returns every certificate of this key in one of these states, whoever owns it. */
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
 * Changes a certificate that is still in one of these states. The condition is part of the statement, so that only one of two concurrent
 * callers succeeds. Returns false when the certificate is in none of the states any more.
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
 * Changes an order that is still undecided: it is pending and no TBS certificate is stored. The condition is part of the statement, so that
 * only one of two concurrent callers succeeds. Returns false when the order is decided.
 */
export async function changeOpenOrder(trx: Trx, id: number, change: Change, now = new Date()): Promise<boolean> {
  return (await updateOpenOrder(trx, id, change, now).executeTakeFirst()).numUpdatedRows === 1n;
}

/**
 * Stores the authentication contact's answer to an open order, given by the link or entered by staff. Only the first answer is stored.
 * Returns whether this one was.
 */
export async function storeContactAnswer(
  trx: Trx,
  id: number,
  answer: Pick<Change, "contactAnswer" | "contactAnsweredAt" | "contactAnswerBy" | "contactNote">,
  now = new Date(),
): Promise<boolean> {
  const update = updateOpenOrder(trx, id, answer, now).where("contactAnswer", "is", null);
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}

/**
 * Replaces the authentication contact of an open order that nobody has answered yet, with the note that staff began to type about it.
 * Returns false when the order is decided or answered.
 */
export async function storeOtherContact(
  trx: Trx,
  id: number,
  contact: Pick<Change, "authenticationContact" | "authenticationEmail" | "contactSearchText">,
  now = new Date(),
): Promise<boolean> {
  const update = updateOpenOrder(trx, id, { ...contact, contactNote: null }, now).where("contactAnswer", "is", null);
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}

/** Stores the corrected contacts of a certificate, whatever its status. */
export async function storeCorrectedContacts(
  trx: Trx,
  id: number,
  contacts: Pick<Change, "technicalContact" | "authenticationContact" | "contactSearchText">,
  now: Date,
): Promise<void> {
  await trx
    .updateTable("certificates")
    .set({ ...contacts, updatedAt: now })
    .where("id", "=", id)
    .execute();
}

const NOTES = [
  ["contactNote", "contactAnswer"],
  ["organisationNote", "organisationCheckedAt"],
  ["csrNote", "csrCheckedAt"],
  ["decisionReason", "decidedAt"],
] as const;

/**
 * Stores the notes of checks that are not recorded yet, and the reason for a decision that is not made yet. Empty notes, and notes of
 * recorded checks, change nothing.
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
  id: number;
  authorityId: number;
  /** Upper-case hex. */
  serialNumber: string;
  tbsCertificate: Buffer;
  certificateProfile: string;
  decidedBy: number;
}

/**
 * Stores the TBS certificates of orders before they are signed, once. A reason against the order that was typed earlier is removed, because
 * it does not belong to the approval. Returns the rows as they are now, without the orders that are no longer open.
 */
export async function recordTbs(trx: Trx, orders: readonly RecordedTbs[], now: Date): Promise<CertificateRow[]> {
  const [first, ...others] = orders;
  if (!first) return [];
  const update = trx
    .updateTable("certificates")
    .from(givenRows("certificates", [first, ...others]))
    .set((eb) => ({
      authorityId: eb.ref("given.authorityId"),
      serialNumber: eb.ref("given.serialNumber"),
      tbsCertificate: eb.ref("given.tbsCertificate"),
      certificateProfile: eb.ref("given.certificateProfile"),
      decidedBy: eb.ref("given.decidedBy"),
      decidedAt: now,
      decisionReason: null,
      updatedAt: now,
    }))
    .whereRef("certificates.id", "=", "given.id")
    .where("certificates.status", "=", "Pending")
    .where("certificates.tbsCertificate", "is", null);
  return (isPostgres() ? update.returningAll("certificates") : update.returningAll()).execute();
}

export interface IssuedCertificate {
  id: number;
  /** The serial number that was recorded for it. */
  serialNumber: string;
  der: Buffer;
  thumbprint: string;
  thumbprintSha256: string;
  startDate: string;
  expiryDate: string;
  searchText: string;
}

/**
 * Stores signed certificates, once. Returns the rows as they are now, without those whose certificate is already stored or whose CA has been
 * revoked.
 */
export async function storeIssued(
  trx: Trx,
  certificates: readonly IssuedCertificate[],
  now: Date,
): Promise<CertificateRow[]> {
  const [first, ...others] = certificates;
  if (!first) return [];
  const update = trx
    .updateTable("certificates")
    .from(givenRows("certificates", [first, ...others]))
    .set((eb) => ({
      der: eb.ref("given.der"),
      thumbprint: eb.ref("given.thumbprint"),
      thumbprintSha256: eb.ref("given.thumbprintSha256"),
      startDate: eb.ref("given.startDate"),
      expiryDate: eb.ref("given.expiryDate"),
      searchText: eb.ref("given.searchText"),
      status: "Issued" as const,
      issuedAt: now,
      updatedAt: now,
    }))
    .whereRef("certificates.id", "=", "given.id")
    .whereRef("certificates.serialNumber", "=", "given.serialNumber")
    .where("certificates.der", "is", null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("authorities")
            .select("authorities.id")
            .whereRef("authorities.id", "=", "certificates.authorityId")
            .where("authorities.revokedAt", "is not", null),
        ),
      ),
    );
  return (isPostgres() ? update.returningAll("certificates") : update.returningAll()).execute();
}

/**
 * Opens an order again whose recorded certificate must not be issued. Returns false when the certificate is already stored or the issuing
 * already undone.
 */
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

const interrupted = (db: DbOrTrx) =>
  db
    .selectFrom("certificates")
    .selectAll()
    .where("status", "=", "Pending")
    .where("tbsCertificate", "is not", null)
    .where("der", "is", null)
    .orderBy("id");

/** Returns the orders whose issuing began and did not finish. */
export const listInterrupted = (db: DbOrTrx): Promise<CertificateRow[]> => interrupted(db).execute();

/** Returns the first orders among them that this account approved. */
export const listInterruptedOf = (db: DbOrTrx, decidedBy: number, limit: number): Promise<CertificateRow[]> =>
  interrupted(db).where("decidedBy", "=", decidedBy).limit(limit).execute();

/** Returns whether an order that was approved since then is being issued. */
export const isIssuingSince = async (db: DbOrTrx, since: Date): Promise<boolean> =>
  (await interrupted(db).clearSelect().select("id").where("decidedAt", ">=", since.toISOString()).limit(1).execute())
    .length > 0;

/** Returns the scheduled revocations that are due. */
export const listDueRevocations = (db: DbOrTrx, now: Date): Promise<CertificateRow[]> =>
  db
    .selectFrom("certificates")
    .selectAll()
    .where("status", "=", "RequestRevoke")
    .where("revocationDate", "<=", now.toISOString())
    .orderBy("id")
    .execute();

/** Returns when the next scheduled revocation of a CA's certificates is due, or null when none is scheduled. */
export async function findNextRevocation(db: DbOrTrx, authorityId: number): Promise<Date | null> {
  const { next } = await db
    .selectFrom("certificates")
    .select((eb) => eb.fn.min("revocationDate").as("next"))
    .where("status", "=", "RequestRevoke")
    .where("authorityId", "=", authorityId)
    .executeTakeFirstOrThrow();
  return next === null ? null : new Date(next);
}

/** Cancels the sales order of a certificate that will not be issued. An order that is invoiced or paid is left to the administrators. */
export async function cancelSalesOrder(trx: Trx, orderId: number, now = new Date()): Promise<void> {
  await trx
    .updateTable("orders")
    .set({ status: "Cancelled", updatedAt: now })
    .where("id", "=", orderId)
    .where("status", "=", "Open")
    .execute();
}

/** The authentication contact of a certificate as it is stored, and the text by which it is found. */
export type ContactTexts = Pick<CertificateRow, "authenticationContact" | "contactSearchText">;

/** Returns the authentication contacts of these certificates by id. */
export async function listContactTexts(db: DbOrTrx, ids: readonly number[]): Promise<Map<number, ContactTexts>> {
  if (ids.length === 0) return new Map();
  const query = db.selectFrom("certificates").select(["id", "authenticationContact", "contactSearchText"]);
  const rows = await query.where("id", "in", ids).execute();
  return new Map(rows.map(({ id, ...contact }) => [id, contact]));
}
