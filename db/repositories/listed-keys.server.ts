import { sql } from "kysely";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type Row } from "../tables";

/** Returns a query for the name of the list of bad keys that contains one of these fingerprints. Each is looked up by the primary key. */
export const listOfKeyQuery = (db: DbOrTrx, fingerprints: readonly Buffer[]) =>
  db
    .selectFrom("listedKeys")
    .innerJoin("keyLists", "keyLists.id", "listedKeys.listId")
    .select("keyLists.name")
    .where("listedKeys.fingerprint", "in", fingerprints);

/** Returns the name of the list of bad keys that contains one of these fingerprints, or null. */
export const findListOfKey = async (db: DbOrTrx, fingerprints: readonly Buffer[]): Promise<string | null> =>
  (await listOfKeyQuery(db, fingerprints).executeTakeFirst())?.name ?? null;

/** Returns the name of the list that contains each of these fingerprints, by the fingerprint in lower-case hex. */
export async function listListsOfKeys(db: DbOrTrx, fingerprints: readonly Buffer[]): Promise<Map<string, string>> {
  const rows = await listOfKeyQuery(db, fingerprints).select("listedKeys.fingerprint").execute();
  return new Map(rows.map(({ fingerprint, name }) => [fingerprint.toString("hex"), name]));
}

/** Returns how many of these fingerprints are known bad keys. The fingerprints must all differ. */
export async function countListed(db: DbOrTrx, fingerprints: readonly Buffer[]): Promise<number> {
  const { count } = await db
    .selectFrom("listedKeys")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("fingerprint", "in", fingerprints)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Creates or updates the list of bad keys with this name and returns its id. Once a list is marked as having keys of Debian's weak OpenSSL,
 * the mark stays.
 */
export async function saveKeyList(
  trx: Trx,
  { name, hasDebianKeys }: { name: string; hasDebianKeys: boolean },
  now: Date,
): Promise<number> {
  const change = { updatedAt: now, ...(hasDebianKeys && { hasDebianKeys }) };
  const { id } = await trx
    .insertInto("keyLists")
    .values({ name, keyCount: 0, hasDebianKeys, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(change))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Adds keys to a list of bad keys. A key that is already in this or another list stays there. Returns how many were added. */
export async function insertListedKeys(trx: Trx, listId: number, fingerprints: readonly Buffer[]): Promise<number> {
  const rows = fingerprints.map((fingerprint) => sql`(${fingerprint}, ${sql.lit(listId)})`);
  const { numAffectedRows = 0n } =
    await sql`insert into listed_keys (fingerprint, list_id) values ${sql.join(rows)} on conflict do nothing`.execute(
      trx.withoutPlugins(),
    );
  const added = Number(numAffectedRows);
  await trx
    .updateTable("keyLists")
    .set((eb) => ({ keyCount: eb("keyCount", "+", added) }))
    .where("id", "=", listId)
    .execute();
  return added;
}

/** Returns whether any list of bad keys has keys of Debian's weak OpenSSL (CVE-2008-0166). */
export async function hasDebianList(db: DbOrTrx): Promise<boolean> {
  const row = await db.selectFrom("keyLists").select("id").where("hasDebianKeys", "=", true).executeTakeFirst();
  return row !== undefined;
}

export const listKeyLists = (db: DbOrTrx): Promise<Row<"keyLists">[]> =>
  db.selectFrom("keyLists").selectAll().orderBy("id").execute();
