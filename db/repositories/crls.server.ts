import { withTolerance } from "~/lib/clock";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

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
] as const;

const toSummary = (row: Pick<Row<"crls">, (typeof SUMMARY)[number]>): CrlSummary => ({
  ...row,
  isDelta: row.isDelta === 1,
});

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

export interface RevokedEntryRow {
  id: number;
  firstCrlNumber: number;
  revokedCertificateDer: Buffer;
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

/** A page of entries in the order of their first list, then id; `after` is the last row of the page before. */
export async function listRevokedEntries(
  db: DbOrTrx,
  { authorityId, above, upTo, endedBefore }: EntrySelection,
  after: Pick<RevokedEntryRow, "id" | "firstCrlNumber"> | null,
  limit: number,
): Promise<RevokedEntryRow[]> {
  let query = db
    .selectFrom("certificates")
    .select(["id", "firstCrlNumber", "revokedCertificateDer"])
    .where("authorityId", "=", authorityId)
    .where("revokedCertificateDer", "is not", null)
    .where((eb) =>
      eb(eb.refTuple("firstCrlNumber", "id"), ">", eb.tuple(after?.firstCrlNumber ?? above, after?.id ?? 2 ** 31 - 1)),
    )
    .where("firstCrlNumber", "<=", upTo);
  if (endedBefore) {
    const { number, thisUpdate } = endedBefore;
    query = query.where((eb) =>
      eb.or([eb("expiryDate", ">=", thisUpdate), eb("expiryDate", "is", null), eb("firstCrlNumber", ">", number)]),
    );
  }
  const rows = await query.orderBy("firstCrlNumber").orderBy("id").limit(limit).execute();
  return rows as RevokedEntryRow[];
}

export async function insertCrl(trx: Trx, crl: NewRow<"crls">): Promise<void> {
  await trx.insertInto("crls").values(crl).execute();
}

/** The list with the highest number, with its bytes. */
export async function findLatestCrl(
  db: DbOrTrx,
  authorityId: number,
  isDelta: boolean,
): Promise<(CrlSummary & { der: Buffer }) | null> {
  const row = await db
    .selectFrom("crls")
    .select([...SUMMARY, "der"])
    .where("authorityId", "=", authorityId)
    .where("isDelta", "=", isDelta ? 1 : 0)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? { ...toSummary(row), der: row.der } : null;
}

/** The same without the bytes, which can be megabytes. */
export async function findLatestCrlSummary(
  db: DbOrTrx,
  authorityId: number,
  isDelta: boolean,
): Promise<CrlSummary | null> {
  const row = await db
    .selectFrom("crls")
    .select(SUMMARY)
    .where("authorityId", "=", authorityId)
    .where("isDelta", "=", isDelta ? 1 : 0)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? toSummary(row) : null;
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

/** Number of the oldest base list that somebody may use at `now`, neither ended nor dated ahead; null when there is none. */
export async function findOldestCurrentBase(db: DbOrTrx, authorityId: number, now: Date): Promise<number | null> {
  const row = await db
    .selectFrom("crls")
    .select((eb) => eb.fn.min("number").as("number"))
    .where("authorityId", "=", authorityId)
    .where("isDelta", "=", 0)
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
