import { type DbOrTrx } from "../connection.server";

/** What a CA signed or was about to sign, as the database has it. */
export interface SignedRow {
  id: number;
  serialNumber: string;
  tbsCertificate: Buffer | null;
  /** The signed certificate, or null before it is stored. */
  certificate: Buffer | null;
  /** When the TBS certificate was recorded. */
  recordedAt: string | null;
}

/** Returns certificates of a CA that have a serial number, with ids after `afterId`, by id. */
export async function listSerials(
  db: DbOrTrx,
  authorityId: number,
  afterId: number,
  limit: number,
): Promise<SignedRow[]> {
  const rows = await db
    .selectFrom("certificates")
    .select(["id", "serialNumber", "tbsCertificate", "der as certificate", "decidedAt as recordedAt"])
    .where("authorityId", "=", authorityId)
    .where("serialNumber", "is not", null)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, serialNumber: row.serialNumber ?? "" }));
}

/** Returns the OCSP responders of a CA with ids after `afterId`, by id. */
export const listResponderSerials = (
  db: DbOrTrx,
  authorityId: number,
  afterId: number,
  limit: number,
): Promise<SignedRow[]> =>
  db
    .selectFrom("ocspResponders")
    .select(["id", "serialNumber", "tbsCertificate", "certificate", "createdAt as recordedAt"])
    .where("authorityId", "=", authorityId)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();

/** Returns which of these serial numbers belong to an issuing that was undone, by the audit trail. */
export async function findUndone(db: DbOrTrx, serials: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("auditEntries")
    .select("reference")
    .where("event", "=", "certificate.issuing-undone")
    .where("reference", "in", serials)
    .execute();
  return new Set(rows.map(({ reference }) => reference ?? ""));
}

/** Returns the messages of all entries of the audit trail about this event. */
export const listTrailMessages = async (db: DbOrTrx, event: string): Promise<string[]> =>
  (await db.selectFrom("auditEntries").select("message").where("event", "=", event).orderBy("id").execute()).map(
    ({ message }) => message,
  );
