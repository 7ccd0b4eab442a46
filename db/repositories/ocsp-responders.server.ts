import { withTolerance } from "~/lib/clock";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type OcspResponderRow = Row<"ocspResponders">;

/** A responder that can answer at present. */
export type UsableResponder = OcspResponderRow & { certificate: Buffer; privateKey: string };

const responders = (db: DbOrTrx, authorityId: number) =>
  db.selectFrom("ocspResponders").where("authorityId", "=", authorityId).orderBy("generation", "desc").limit(1);

/** Returns the newest responder whose certificate is valid now, or null. Responders that a wrong clock dated in the future are ignored. */
export async function findUsableResponder(
  db: DbOrTrx,
  authorityId: number,
  now: Date,
): Promise<UsableResponder | null> {
  const row = await responders(db, authorityId)
    .selectAll()
    .where("certificate", "is not", null)
    .where("privateKey", "is not", null)
    .where("notBefore", "<=", withTolerance(now).toISOString())
    .where("notAfter", ">", now.toISOString())
    .executeTakeFirst();
  return (row as UsableResponder | undefined) ?? null;
}

/** Returns the DER of every responder certificate, including expired ones. */
export async function listResponderCertificates(db: DbOrTrx): Promise<Buffer[]> {
  const rows = await db
    .selectFrom("ocspResponders")
    .select("certificate")
    .where("certificate", "is not", null)
    .execute();
  return rows.flatMap(({ certificate }) => certificate ?? []);
}

/** Returns the newest responder that was recorded, was not signed and would expire after `endsAfter`, or null. */
export const findUnsignedResponder = async (
  db: DbOrTrx,
  authorityId: number,
  endsAfter: Date,
): Promise<OcspResponderRow | null> =>
  (await responders(db, authorityId)
    .selectAll()
    .where("certificate", "is", null)
    .where("notAfter", ">", endsAfter.toISOString())
    .executeTakeFirst()) ?? null;

/** Returns the generation of the newest responder of a CA, or 0 when it has none. */
export const newestGeneration = async (db: DbOrTrx, authorityId: number): Promise<number> =>
  (await responders(db, authorityId).select("generation").executeTakeFirst())?.generation ?? 0;

/** Records a responder before its certificate is signed. Returns false when one of this generation exists. */
export async function insertResponder(trx: Trx, responder: NewRow<"ocspResponders">): Promise<boolean> {
  const row = await trx
    .insertInto("ocspResponders")
    .values(responder)
    .onConflict((conflict) => conflict.columns(["authorityId", "generation"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the signed certificate, once. Returns false when it is already stored. */
export async function storeResponderCertificate(trx: Trx, id: number, certificate: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("ocspResponders")
    .set({ certificate })
    .where("id", "=", id)
    .where("certificate", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Erases the keys of responders whose certificates expired before `endedBefore`. Returns how many. */
export async function eraseResponderKeys(db: DbOrTrx, endedBefore: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("ocspResponders")
    .set({ privateKey: null })
    .where("notAfter", "<", endedBefore.toISOString())
    .where("privateKey", "is not", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Returns the responders with a certificate that has not ended, without their keys. */
export const listRespondersToAudit = (db: DbOrTrx, now: Date) =>
  db
    .selectFrom("ocspResponders")
    .select(["authorityId", "generation", "serialNumber", "tbsCertificate", "certificate", "notBefore", "notAfter"])
    .where("certificate", "is not", null)
    .where("notAfter", ">", now.toISOString())
    .orderBy("id")
    .execute();
