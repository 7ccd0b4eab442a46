import { sql } from "kysely";
import { withTolerance } from "~/lib/clock";
import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type NewRow } from "../tables";

/** A stored list without its bytes. */
export interface CrlSummary {
  id: number;
  authorityId: number;
  isDelta: boolean;
  number: number;
  baseNumber: number | null;
  thisUpdate: string;
  nextUpdate: string;
  entryCount: number;
  /** Bytes of the DER. */
  size: number;
  /** Hex; no other list has it. */
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
 * Takes the issuer's next number. Callers of the same issuer wait here for each other's transaction to end,
 * so that what is read afterwards is at least as new as under any lower number.
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

/** Passes over so many numbers of every issuing CA. Roots are left out: their lists can be numbered on another machine. */
export async function skipCrlNumbers(trx: Trx, count: number): Promise<void> {
  await trx
    .updateTable("authorities")
    .set((eb) => ({ crlNumber: eb("crlNumber", "+", count) }))
    .where("isRoot", "=", false)
    .execute();
}

/** Notes that a number above all others was given out elsewhere. Out: false when it is not above them. */
export async function raiseCrlNumber(trx: Trx, authorityId: number, number: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("authorities")
    .set({ crlNumber: number })
    .where("id", "=", authorityId)
    .where("crlNumber", "<", number)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Gives the entries that no list carries yet to list `number`. */
export async function assignNewEntries(trx: Trx, authorityId: number, number: number): Promise<void> {
  await trx
    .updateTable("certificates")
    .set({ firstCrlNumber: number })
    .where("authorityId", "=", authorityId)
    .where("revokedCertificateDer", "is not", null)
    .where("firstCrlNumber", "is", null)
    .execute();
}

export interface EntrySelection {
  authorityId: number;
  /** Entries of lists above this number … */
  above: number;
  /** … up to this one. */
  upTo: number;
  /** Leaves out certificates that had ended at `thisUpdate` and that base list `number` carries (RFC 5280 §3.3). */
  endedBefore: { number: number; thisUpdate: string } | null;
}

/** `revokedCertificateDer` of all rows in one value: made into objects here, a hundred thousand would cost more than all else of a list. */
function joinedEntries() {
  const column = sql.ref("revokedCertificateDer");
  return getConnection().dialect === "postgres"
    ? sql<Buffer | null>`string_agg(${column}, ''::bytea)`
    : sql<Buffer | null>`unhex(group_concat(hex(${column}), ''))`;
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

/**
 * The first entries of the selection, joined: some `limit` of them, as lists came, so that those of one list stay together.
 * `upTo` is the last of these lists. Read from the index `certificates_revoked` alone.
 */
export async function readRevokedEntries(
  db: DbOrTrx,
  selection: EntrySelection,
  limit: number,
): Promise<{ upTo: number; count: number; entries: Buffer | null }> {
  const last = await selectEntries(db, selection)
    .select("firstCrlNumber")
    .orderBy("firstCrlNumber")
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  const upTo = last?.firstCrlNumber ?? selection.upTo;
  const page = await selectEntries(db, { ...selection, upTo })
    .select((eb) => [eb.fn.countAll<number>().as("count"), joinedEntries().as("entries")])
    .executeTakeFirstOrThrow();
  return { upTo, ...page };
}

/** A list to be stored, with its bytes, from which size and validator are taken. */
export type NewCrl = Omit<NewRow<"crls">, "size" | "etag"> & { der: Buffer };

export async function insertCrl(trx: Trx, { der, ...crl }: NewCrl): Promise<void> {
  const row = { ...crl, size: der.length, etag: der.subarray(-32).toString("hex") };
  const { id } = await trx.insertInto("crls").values(row).returning("id").executeTakeFirstOrThrow();
  await trx.insertInto("crlFiles").values({ crlId: id, der }).execute();
}

/** The list with the highest number. */
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

/** DER of a list, which can be megabytes; null when it was removed meanwhile. */
export async function findCrlDer(db: DbOrTrx, id: number): Promise<Buffer | null> {
  const row = await db.selectFrom("crlFiles").select("der").where("crlId", "=", id).executeTakeFirst();
  return row?.der ?? null;
}

/** The list with the highest number, with its bytes. */
export async function findLatestCrl(
  db: DbOrTrx,
  authorityId: number,
  isDelta: boolean,
): Promise<(CrlSummary & { der: Buffer }) | null> {
  const summary = await findLatestCrlSummary(db, authorityId, isDelta);
  const der = summary && (await findCrlDer(db, summary.id));
  return der && { ...summary, der };
}

/** Whether there are entries that no list up to `number` carries, because publishing failed or is under way. */
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
 * Whether the lists that are served carry this certificate's revocation, each kind of list. Its entry is given to a number before the
 * list of that number is signed and stored, and a number can be lost, so the entry alone proves nothing.
 */
export async function isOnStoredLists(db: DbOrTrx, certificateId: number): Promise<boolean> {
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

/** Number of the oldest base list that somebody may use at `now`, neither ended nor dated ahead; null when there is none. */
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

/** Removes lists that ended before `endedBefore`, save the latest of each kind of each issuer. Out: how many. */
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

/** Lists whose bytes are stored, in the order of their numbers. */
export const listStoredLists = (db: DbOrTrx): Promise<CrlSummary[]> =>
  db
    .selectFrom("crls")
    .select(SUMMARY)
    .where("id", "in", db.selectFrom("crlFiles").select("crlId"))
    .orderBy("number")
    .execute();

/** Delta lists that have not ended. */
export const listCurrentDeltas = (db: DbOrTrx, now: Date): Promise<CrlSummary[]> =>
  db
    .selectFrom("crls")
    .select(SUMMARY)
    .where("isDelta", "=", true)
    .where("nextUpdate", ">", now.toISOString())
    .execute();

/** Removes a list's bytes; its row stays. */
export async function deleteCrlFile(db: DbOrTrx, id: number): Promise<void> {
  await db.deleteFrom("crlFiles").where("crlId", "=", id).execute();
}
