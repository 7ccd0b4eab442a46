import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type PromotionCodeRow = Row<"promotionCodes">;

/** Returns the promotion code with exactly this spelling, or null. */
export const readPromotionCode = async (db: DbOrTrx, code: string): Promise<PromotionCodeRow | null> =>
  (await db.selectFrom("promotionCodes").selectAll().where("code", "=", code).executeTakeFirst()) ?? null;

/** Returns the promotion code as typed or in capitals, or null. */
export const findPromotionCode = async (db: DbOrTrx, code: string): Promise<PromotionCodeRow | null> =>
  (await readPromotionCode(db, code)) ?? readPromotionCode(db, code.toUpperCase());

/** Uses up the promotion code for this order. Returns false when another order used it first or an administrator withdrew it. */
export async function redeemPromotionCode(trx: Trx, code: string, orderId: number, now = new Date()): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("promotionCodes")
    .set({ usedByOrderId: orderId, usedAt: now })
    .where("code", "=", code)
    .where("usedAt", "is", null)
    .where("withdrawnAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Makes the promotion code of this order usable again. Returns the code, or null when the order used none. */
export async function releasePromotionCode(trx: Trx, orderId: number): Promise<string | null> {
  const row = await trx
    .updateTable("promotionCodes")
    .set({ usedByOrderId: null, usedAt: null })
    .where("usedByOrderId", "=", orderId)
    .returning("code")
    .executeTakeFirst();
  return row?.code ?? null;
}

/** Withdraws an unused promotion code. Returns false when it does not exist, or was used or withdrawn before. */
export async function withdrawUnusedCode(trx: Trx, code: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("promotionCodes")
    .set({ withdrawnAt: now })
    .where("code", "=", code)
    .where("usedAt", "is", null)
    .where("withdrawnAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stores new promotion codes. Stores none of them when one exists already. */
export async function insertPromotionCodes(db: DbOrTrx, codes: readonly NewRow<"promotionCodes">[]): Promise<void> {
  if (codes.length > 0)
    await db
      .insertInto("promotionCodes")
      .values([...codes])
      .execute();
}

/** Rows in one statement. Both databases limit the number of parameters. */
const CHUNK = 1000;

/** Stores those of the promotion codes that are new. Returns how many. */
export async function insertNewPromotionCodes(trx: Trx, codes: readonly NewRow<"promotionCodes">[]): Promise<number> {
  let stored = 0;
  for (let start = 0; start < codes.length; start += CHUNK) {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("promotionCodes")
      .values(codes.slice(start, start + CHUNK))
      .onConflict((conflict) => conflict.column("code").doNothing())
      .executeTakeFirst();
    stored += Number(numInsertedOrUpdatedRows);
  }
  return stored;
}

/** Records that this form has created its codes. Returns false when it did so before. */
export async function insertPromotionBatch(trx: Trx, batch: NewRow<"promotionBatches">): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("promotionBatches")
    .values(batch)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the promotion codes of one batch in alphabetical order. */
export const listCodesOfBatch = (db: DbOrTrx, batchId: string): Promise<PromotionCodeRow[]> =>
  db.selectFrom("promotionCodes").selectAll().where("batchId", "=", batchId).orderBy("code").execute();
