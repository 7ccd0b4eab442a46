import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type PromotionCodeRow = Row<"promotionCodes">;

/** The code as it is written here; null when there is none. */
export const readPromotionCode = async (db: DbOrTrx, code: string): Promise<PromotionCodeRow | null> =>
  (await db.selectFrom("promotionCodes").selectAll().where("code", "=", code).executeTakeFirst()) ?? null;

/** The code as it was typed or in capitals; null when there is none. */
export const findPromotionCode = async (db: DbOrTrx, code: string): Promise<PromotionCodeRow | null> =>
  (await readPromotionCode(db, code)) ?? readPromotionCode(db, code.toUpperCase());

/** Uses the code up for this order. Out: false when another order was first, or an administrator withdrew it. */
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

/** Makes the code that this order used usable again. Out: the code; null when the order used none. */
export async function releasePromotionCode(trx: Trx, orderId: number): Promise<string | null> {
  const row = await trx
    .updateTable("promotionCodes")
    .set({ usedByOrderId: null, usedAt: null })
    .where("usedByOrderId", "=", orderId)
    .returning("code")
    .executeTakeFirst();
  return row?.code ?? null;
}

/** Takes a code back that nobody has used. Out: false when it was used or withdrawn before, or there is none. */
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

/** Stores new codes; one that exists already fails them all. */
export async function insertPromotionCodes(db: DbOrTrx, codes: readonly NewRow<"promotionCodes">[]): Promise<void> {
  if (codes.length > 0)
    await db
      .insertInto("promotionCodes")
      .values([...codes])
      .execute();
}

/** Rows of one statement: both databases limit its parameters. */
const CHUNK = 1000;

/** Stores those of the codes that are new. Out: how many. */
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

/** Notes that this form has created its codes. Out: false when it has done so before. */
export async function insertPromotionBatch(trx: Trx, batch: NewRow<"promotionBatches">): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("promotionBatches")
    .values(batch)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Every code of one creation, in the order of the alphabet. */
export const listCodesOfBatch = (db: DbOrTrx, batchId: string): Promise<PromotionCodeRow[]> =>
  db.selectFrom("promotionCodes").selectAll().where("batchId", "=", batchId).orderBy("code").execute();
