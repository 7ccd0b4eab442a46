import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type PromotionCodeRow = Row<"promotionCodes">;

/** The code as it was typed or in capitals; null when there is none. */
export async function findPromotionCode(db: DbOrTrx, code: string): Promise<PromotionCodeRow | null> {
  const rows = await db
    .selectFrom("promotionCodes")
    .selectAll()
    .where("code", "in", [...new Set([code, code.toUpperCase()])])
    .execute();
  return rows.find((row) => row.code === code) ?? rows[0] ?? null;
}

/** Uses the code up for this order. Out: false when another order was first. */
export async function redeemPromotionCode(trx: Trx, code: string, orderId: number, now = new Date()): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("promotionCodes")
    .set({ usedByOrderId: orderId, usedAt: now })
    .where("code", "=", code)
    .where("usedAt", "is", null)
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
