import { takeLock } from "../advisory-lock.server";
import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";
import { insertCodeWords, replaceCodeWords } from "./code-words.server";

export type CodeRow = Row<"codes">;

/** Stores codes. Out: their ids, in the same order. A second one of the same code and sub-code fails (codes_code is unique). */
export async function insertCodes(trx: Trx, codes: readonly NewRow<"codes">[]): Promise<number[]> {
  const rows = await trx.insertInto("codes").values(codes).returning(["id", "code", "subcode"]).execute();
  const ids = new Map(rows.map(({ id, code, subcode }) => [code + subcode, id]));
  const stored = codes.map((code) => ({ ...code, id: ids.get(code.code + code.subcode) ?? 0 }));
  await insertCodeWords(trx, stored);
  return stored.map(({ id }) => id);
}

/** The same with one code. Out: its id. */
export const insertCode = async (trx: Trx, code: NewRow<"codes">): Promise<number> =>
  (await insertCodes(trx, [code]))[0] ?? 0;

/** Stores a code if nobody has that code and sub-code yet, whatever its status. Out: its id, or null when somebody has. */
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

/** In: code and sub-code, "" for the entity itself. */
export const findCodeByName = async (db: DbOrTrx, code: string, subcode: string): Promise<CodeRow | null> =>
  (await db
    .selectFrom("codes")
    .selectAll()
    .where("code", "=", code)
    .where("subcode", "=", subcode)
    .executeTakeFirst()) ?? null;

/** The code, held against every other change until the transaction ends; whoever adds or changes a sub-code holds its parent. */
export async function lockCode(trx: Trx, id: number): Promise<CodeRow | null> {
  const query = trx.selectFrom("codes").selectAll().where("id", "=", id);
  const held = getConnection().dialect === "postgres" ? query.forUpdate() : query;
  return (await held.executeTakeFirst()) ?? null;
}

/**
 * Waits until no other transaction changes the direct parent of a stored code, up to the end of this one: two at once could close a circle
 * that neither of them sees. Taken behind every lock of a code.
 */
export const lockDirectParents = (trx: Trx): Promise<void> => takeLock(trx, "directParents");

/** Changes a code that nobody has changed since `seen` (its `updatedAt`, ISO). Out: false when somebody has. */
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

/** Expires the Registered sub-codes of a code that is held. Out: they, in no order. */
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

/** The Registered sub-codes of a code: those that would expire with it. */
export const listRegisteredSubcodes = (db: DbOrTrx, parentId: number): Promise<CodeRow[]> =>
  subcodesOf(db, parentId).where("status", "=", "Registered").execute();

/** The sub-codes that expired with this code, at the moment of its last change. */
export const listExpiredWith = (
  db: DbOrTrx,
  { id, updatedAt }: Pick<CodeRow, "id" | "updatedAt">,
): Promise<CodeRow[]> =>
  subcodesOf(db, id).where("status", "=", "Expired").where("updatedAt", "=", updatedAt).execute();

/** How many sub-codes a code has, or how many of them in this status. */
export async function countSubcodes(db: DbOrTrx, parentId: number, status?: CodeRow["status"]): Promise<number> {
  let query = db.selectFrom("codes").where("parentId", "=", parentId);
  if (status) query = query.where("status", "=", status);
  return (await query.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

/** How many codes and sub-codes this user has. */
export const countCodesOf = async (db: DbOrTrx, userId: number): Promise<number> =>
  (
    await db
      .selectFrom("codes")
      .where("userId", "=", userId)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow()
  ).count;
