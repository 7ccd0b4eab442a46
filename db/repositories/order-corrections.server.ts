import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type OrderCorrectionRow = Row<"orderCorrections">;

/** Stores a correction and returns its id. */
export async function insertOrderCorrection(trx: Trx, correction: NewRow<"orderCorrections">): Promise<number> {
  const { id } = await trx.insertInto("orderCorrections").values(correction).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Returns the corrections of these orders, the oldest first. */
export async function listCorrectionsOf(db: DbOrTrx, orderIds: readonly number[]): Promise<OrderCorrectionRow[]> {
  if (orderIds.length === 0) return [];
  return db.selectFrom("orderCorrections").selectAll().where("orderId", "in", orderIds).orderBy("id").execute();
}

/** Returns the correction that ordered this certificate, or null. */
export const findCorrectionByCertificate = async (
  db: DbOrTrx,
  certificateId: number,
): Promise<OrderCorrectionRow | null> =>
  (await db.selectFrom("orderCorrections").selectAll().where("certificateId", "=", certificateId).executeTakeFirst()) ??
  null;
