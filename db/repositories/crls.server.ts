import { sql } from "kysely";
import { withTolerance } from "~/lib/clock";
import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type NewRow } from "../tables";

/** A stored CRL without its bytes. */
export interface CrlSummary {
  id: number;
  authorityId: number;
  isDelta: boolean;
  number: number;
  baseNumber: number | null;
  thisUpdate: string;
  nextUpdate: string;
  entryCount: number;
  /** Size of the DER in bytes. */
  size: number;
  /** Hex. No other CRL has the same value. */
  etag: string;
}

const SUMMARY = [
  "id",
  "authorityId",
  "isDelta",
  "number",
  "baseNumber",
  "thisUpdate",
  "nextUpdate",
  "entryCount",
  "size",
  "etag",
] as const;

/**
 * Takes the issuer's next CRL number. Callers of the same issuer wait here until each other's transactions end, so that what is read
 * afterwards is at least as new as under any lower number.
 */
export async function takeCrlNumber(trx: Trx, authorityId: number): Promise<number> {
  const { crlNumber } = await trx
    .updateTable("authorities")
    .set((eb) => ({ crlNumber: eb("crlNumber", "+", 1) }))
    .where("id", "=", authorityId)
    .returning("crlNumber")
    .executeTakeFirstOrThrow();
  return crlNumber;
}

/** Skips `count` CRL numbers of every issuing CA. Root CAs are left out, because their CRLs can be numbered on another machine. */
export async function skipCrlNumbers(trx: Trx, count: number): Promise<void> {
  await trx
    .updateTable("authorities")
    .set((eb) => ({ crlNumber: eb("crlNumber", "+", count) }))
    .where("isRoot", "=", false)
    .execute();
}

/** Records that a CRL number was assigned elsewhere. Returns false when it is not above all earlier numbers. */
export async function raiseCrlNumber(trx: Trx, authorityId: number, number: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("authorities")
    .set({ crlNumber: number })
    .where("id", "=", authorityId)
    .where("crlNumber", "<", number)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** How many entries get the number of one CRL at most. */
const MOST_ASSIGNED = 5_000;

/** Assigns entries that are on no CRL yet to CRL `number`. Returns whether there may be more of them. */
export async function assignNewEntries(trx: Trx, authorityId: number, number: number): Promise<boolean> {
  const newOnes = trx
    .selectFrom("certificates")
    .select("id")
    .where("authorityId", "=", authorityId)
    .where("revokedCertificateDer", "is not", null)
    .where("firstCrlNumber", "is", null)
    .limit(MOST_ASSIGNED);
  const { numUpdatedRows } = await trx
    .updateTable("certificates")
    .set({ firstCrlNumber: number })
    .where("id", "in", newOnes)
    .executeTakeFirst();
  return numUpdatedRows === BigInt(MOST_ASSIGNED);
}

export interface EntrySelection {
  authorityId: number;
  /** Only entries of CRLs above this number. */
  above: number;
  /** Only entries of CRLs up to this number. */
  upTo: number;
  /** Leaves out certificates that had expired at `thisUpdate` and that base CRL `number` contains (RFC 5280 §3.3). */
  endedBefore: { number: number; thisUpdate: string } | null;
}

/**
 * Joins `revokedCertificateDer` of all rows into one value. As separate objects, a hundred thousand entries would cost more than all other
 * work for a CRL. SQLite joins bytes as text and changes none of them, because nothing converts the text before it is bytes again.
 */
function joinedEntries() {
  const column = sql.ref("revokedCertificateDer");
  return getConnection().dialect === "postgres"
    ? sql<Buffer | null>`string_agg(${column}, ''::bytea)`
    : sql<Buffer | null>`cast(group_concat(${column}, '') as blob)`;
}

function selectEntries(db: DbOrTrx, { authorityId, above, upTo, endedBefore }: EntrySelection) {
  const query = db
    .selectFrom("certificates")
    .where("authorityId", "=", authorityId)
    .where("revokedCertificateDer", "is not", null)
    .where("firstCrlNumber", ">", above)
    .where("firstCrlNumber", "<=", upTo);
  if (!endedBefore) return query;
  const { number, thisUpdate } = endedBefore;
  return query.where((eb) =>
    eb.or([eb("expiryDate", ">=", thisUpdate), eb("expiryDate", "is", null), eb("firstCrlNumber", ">", number)]),
  );
}

/** Returns the number of entries of the selection, and the entries themselves, joined. Only the index `certificates_revoked` is read. */
export const readRevokedEntries = (
  db: DbOrTrx,
  selection: EntrySelection,
): Promise<{ count: number; entries: Buffer | null }> =>
  selectEntries(db, selection)
    .select((eb) => [eb.fn.countAll<number>().as("count"), joinedEntries().as("entries")])
    .executeTakeFirstOrThrow();

/** A CRL to store, with its bytes. Size and etag are derived from them. */
export type NewCrl = Omit<NewRow<"crls">, "size" | "etag"> & { der: Buffer };

export async function insertCrl(trx: Trx, { der, ...crl }: NewCrl): Promise<void> {
  const row = { ...crl, size: der.length, etag: der.subarray(-32).toString("hex") };
  const { id } = await trx.insertInto("crls").values(row).returning("id").executeTakeFirstOrThrow();
  await trx.insertInto("crlFiles").values({ crlId: id, der }).execute();
}

/** Returns the base or delta CRL with the highest number, without its bytes, or null. */
export async function findLatestCrlSummary(
  db: DbOrTrx,
  authorityId: number,
  isDelta: boolean,
): Promise<CrlSummary | null> {
  const row = await db
    .selectFrom("crls")
    .select(SUMMARY)
    .where("authorityId", "=", authorityId)
    .where("isDelta", "=", isDelta)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the DER of a CRL, which can be megabytes, or null when it has been removed. */
export async function findCrlDer(db: DbOrTrx, id: number): Promise<Buffer | null> {
  const row = await db.selectFrom("crlFiles").select("der").where("crlId", "=", id).executeTakeFirst();
  return row?.der ?? null;
}

/** Returns the base or delta CRL with the highest number, with its bytes, or null. */
export async function findLatestCrl(
  db: DbOrTrx,
  authorityId: number,
  isDelta: boolean,
): Promise<(CrlSummary & { der: Buffer }) | null> {
  const summary = await findLatestCrlSummary(db, authorityId, isDelta);
  const der = summary && (await findCrlDer(db, summary.id));
  return der && { ...summary, der };
}

/** Returns whether there are entries that no CRL up to `number` contains, because publishing failed or is in progress. */
export async function hasEntriesAbove(db: DbOrTrx, authorityId: number, number: number): Promise<boolean> {
  const row = await db
    .selectFrom("certificates")
    .select("id")
    .where("authorityId", "=", authorityId)
    .where("revokedCertificateDer", "is not", null)
    .where((eb) => eb.or([eb("firstCrlNumber", "is", null), eb("firstCrlNumber", ">", number)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns whether both a base CRL and a delta CRL that are stored are recent enough to contain this certificate's revocation. The number of
 * its first CRL proves nothing: it is assigned before that CRL is signed and stored, and a number can be lost.
 */
export async function isOnStoredCrls(db: DbOrTrx, certificateId: number): Promise<boolean> {
  const { kinds } = await db
    .selectFrom("certificates")
    .innerJoin("crls", (join) =>
      join
        .onRef("crls.authorityId", "=", "certificates.authorityId")
        .onRef("crls.number", ">=", "certificates.firstCrlNumber"),
    )
    .where("certificates.id", "=", certificateId)
    .select((eb) => eb.fn.count<number>("crls.isDelta").distinct().as("kinds"))
    .executeTakeFirstOrThrow();
  return kinds === 2;
}

/**
 * Returns the number of the oldest base CRL that can be in use at `now`, which is neither past its nextUpdate nor dated in the future.
 * Returns null when there is none.
 */
export async function findOldestCurrentBase(db: DbOrTrx, authorityId: number, now: Date): Promise<number | null> {
  const row = await db
    .selectFrom("crls")
    .select((eb) => eb.fn.min("number").as("number"))
    .where("authorityId", "=", authorityId)
    .where("isDelta", "=", false)
    .where("nextUpdate", ">", now.toISOString())
    .where("thisUpdate", "<=", withTolerance(now).toISOString())
    .executeTakeFirst();
  return row?.number ?? null;
}

/**
 * Deletes CRLs whose nextUpdate is before `endedBefore`, except the latest base and delta CRL of each issuer. Returns how many were
 * deleted.
 */
export async function deleteOldCrls(db: DbOrTrx, endedBefore: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("crls")
    .where("nextUpdate", "<", endedBefore.toISOString())
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("crls as younger")
          .select("younger.id")
          .whereRef("younger.authorityId", "=", "crls.authorityId")
          .whereRef("younger.isDelta", "=", "crls.isDelta")
          .whereRef("younger.number", ">", "crls.number"),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Returns the base and delta CRLs of all CAs, by number. */
export const listCrls = (db: DbOrTrx): Promise<CrlSummary[]> =>
  db.selectFrom("crls").select(SUMMARY).orderBy("number").execute();

/** Returns the CRLs whose bytes are stored, by number. */
export const listStoredCrls = (db: DbOrTrx): Promise<CrlSummary[]> =>
  db
    .selectFrom("crls")
    .select(SUMMARY)
    .where("id", "in", db.selectFrom("crlFiles").select("crlId"))
    .orderBy("number")
    .execute();

/** Returns the delta CRLs whose nextUpdate is in the future. */
export const listCurrentDeltas = (db: DbOrTrx, now: Date): Promise<CrlSummary[]> =>
  db
    .selectFrom("crls")
    .select(SUMMARY)
    .where("isDelta", "=", true)
    .where("nextUpdate", ">", now.toISOString())
    .execute();

/** Deletes the bytes of a CRL. Its row stays. */
export async function deleteCrlFile(db: DbOrTrx, id: number): Promise<void> {
  await db.deleteFrom("crlFiles").where("crlId", "=", id).execute();
}
