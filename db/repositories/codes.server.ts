import { takeLock } from "../advisory-lock.server";
import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";
import { insertCodeWords, replaceCodeWords } from "./code-words.server";

export type CodeRow = Row<"codes">;

/** Stores codes and returns their ids in the same order. Fails when a code and sub-code exists already (codes_code is unique). */
export async function insertCodes(trx: Trx, codes: readonly NewRow<"codes">[]): Promise<number[]> {
  const rows = await trx.insertInto("codes").values(codes).returning(["id", "code", "subcode"]).execute();
  const ids = new Map(rows.map(({ id, code, subcode }) => [code + subcode, id]));
  const stored = codes.map((code) => ({ ...code, id: ids.get(code.code + code.subcode) ?? 0 }));
  await insertCodeWords(trx, stored);
  return stored.map(({ id }) => id);
}

/** Stores one code, as `insertCodes` does, and returns its id. */
export const insertCode = async (trx: Trx, code: NewRow<"codes">): Promise<number> =>
  (await insertCodes(trx, [code]))[0] ?? 0;

/** Stores a code if its code and sub-code do not exist yet in any status. Returns its id, or null when they exist. */
export async function insertFreeCode(trx: Trx, code: NewRow<"codes">): Promise<number | null> {
  const row = await trx
    .insertInto("codes")
    .values(code)
    .onConflict((conflict) => conflict.columns(["code", "subcode"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!row) return null;
  await insertCodeWords(trx, [{ ...code, id: row.id }]);
  return row.id;
}

export const findCode = async (db: DbOrTrx, id: number): Promise<CodeRow | null> =>
  (await db.selectFrom("codes").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;

/** Returns the code with this code and sub-code, or null. The sub-code of an entity is "". */
export const findCodeByName = async (db: DbOrTrx, code: string, subcode: string): Promise<CodeRow | null> =>
  (await db
    .selectFrom("codes")
    .selectAll()
    .where("code", "=", code)
    .where("subcode", "=", subcode)
    .executeTakeFirst()) ?? null;

/**
 * Returns the code and locks it against every other change until the transaction ends. A transaction that adds or changes a sub-code locks
 * the parent.
 */
export async function lockCode(trx: Trx, id: number): Promise<CodeRow | null> {
  const query = trx.selectFrom("codes").selectAll().where("id", "=", id);
  const held = getConnection().dialect === "postgres" ? query.forUpdate() : query;
  return (await held.executeTakeFirst()) ?? null;
}

/**
 * Waits until no other transaction changes the direct parent of a stored code, and holds the lock until this transaction ends. Otherwise
 * two concurrent changes could close a cycle that neither of them sees. Take this lock after all locks of codes.
 */
export const lockDirectParents = (trx: Trx): Promise<void> => takeLock(trx, "directParents");

/** Changes a code that nobody has changed since `seen`, which is its `updatedAt` in ISO format. Returns false when somebody has. */
export async function changeCode(
  trx: Trx,
  id: number,
  seen: string,
  change: Partial<Omit<NewRow<"codes">, "id" | "updatedAt">>,
  now = new Date(),
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("codes")
    .set({ ...change, updatedAt: now })
    .where("id", "=", id)
    .where("updatedAt", "=", seen)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  if (change.sortCompany !== undefined || change.sortCity !== undefined) await replaceCodeWords(trx, [id]);
  return true;
}

/** Expires the Registered sub-codes of a locked code. Returns them in no particular order. */
export const expireSubcodes = (trx: Trx, parentId: number, now: Date): Promise<CodeRow[]> =>
  trx
    .updateTable("codes")
    .set({ status: "Expired", updatedAt: now })
    .where("parentId", "=", parentId)
    .where("status", "=", "Registered")
    .returningAll()
    .execute();

const subcodesOf = (db: DbOrTrx, parentId: number) =>
  db.selectFrom("codes").selectAll().where("parentId", "=", parentId).orderBy("subcode");

/** Returns the Registered sub-codes of a code, which would expire with it. */
export const listRegisteredSubcodes = (db: DbOrTrx, parentId: number): Promise<CodeRow[]> =>
  subcodesOf(db, parentId).where("status", "=", "Registered").execute();

/** Returns the sub-codes that expired together with this code, which have the same `updatedAt`. */
export const listExpiredWith = (
  db: DbOrTrx,
  { id, updatedAt }: Pick<CodeRow, "id" | "updatedAt">,
): Promise<CodeRow[]> =>
  subcodesOf(db, id).where("status", "=", "Expired").where("updatedAt", "=", updatedAt).execute();

/** Returns how many sub-codes a code has, or how many with this status. */
export async function countSubcodes(db: DbOrTrx, parentId: number, status?: CodeRow["status"]): Promise<number> {
  let query = db.selectFrom("codes").where("parentId", "=", parentId);
  if (status) query = query.where("status", "=", status);
  return (await query.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

/** Returns how many codes and sub-codes this company has. */
export const countCodesOf = async (db: DbOrTrx, companyId: number): Promise<number> =>
  (
    await db
      .selectFrom("codes")
      .where("companyId", "=", companyId)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow()
  ).count;
