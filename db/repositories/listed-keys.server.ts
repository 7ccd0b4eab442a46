import { sql } from "kysely";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type Row } from "../tables";

/** The list that has one of these fingerprints; each is looked up by the primary key. */
export const listOfKeyQuery = (db: DbOrTrx, fingerprints: readonly Buffer[]) =>
  db
    .selectFrom("listedKeys")
    .innerJoin("keyLists", "keyLists.id", "listedKeys.listId")
    .select("keyLists.name")
    .where("listedKeys.fingerprint", "in", fingerprints);

/** The name of the list that has one of these fingerprints, or null. */
export const findListOfKey = async (db: DbOrTrx, fingerprints: readonly Buffer[]): Promise<string | null> =>
  (await listOfKeyQuery(db, fingerprints).executeTakeFirst())?.name ?? null;

/** How many of these fingerprints, all different, are listed. */
export async function countListed(db: DbOrTrx, fingerprints: readonly Buffer[]): Promise<number> {
  const { count } = await db
    .selectFrom("listedKeys")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("fingerprint", "in", fingerprints)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The list of this name, made when there is none. A list that once had keys of Debian's weak OpenSSL keeps them. Returns its id. */
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

/** Lists these keys under a list; one that is listed already, here or elsewhere, stays where it is. Out: how many are new. */
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

/** Whether any list has keys of Debian's weak OpenSSL (CVE-2008-0166). */
export async function hasDebianList(db: DbOrTrx): Promise<boolean> {
  const row = await db.selectFrom("keyLists").select("id").where("hasDebianKeys", "=", true).executeTakeFirst();
  return row !== undefined;
}

export const listKeyLists = (db: DbOrTrx): Promise<Row<"keyLists">[]> =>
  db.selectFrom("keyLists").selectAll().orderBy("id").execute();
