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

/** Returns the id of the order with the correction of this number, or null. */
export const findCorrectedOrder = async (
  db: DbOrTrx,
  { year, number }: { year: number; number: number },
): Promise<number | null> =>
  (
    await db
      .selectFrom("orderCorrections")
      .select("orderId")
      .where("year", "=", year)
      .where("number", "=", number)
      .executeTakeFirst()
  )?.orderId ?? null;

/** Returns the corrections of the order of a certificate, the oldest first. */
export const listCorrectionsAbout = (db: DbOrTrx, certificateId: number): Promise<OrderCorrectionRow[]> =>
  db
    .selectFrom("orderCorrections")
    .innerJoin("certificates", "certificates.orderId", "orderCorrections.orderId")
    .selectAll("orderCorrections")
    .where("certificates.id", "=", certificateId)
    .orderBy("orderCorrections.id")
    .execute();

/** Returns the corrections that these accounts made, or of orders that they placed. */
export const listCorrectionsBy = (db: DbOrTrx, userIds: readonly number[]): Promise<OrderCorrectionRow[]> =>
  db
    .selectFrom("orderCorrections")
    .innerJoin("orders", "orders.id", "orderCorrections.orderId")
    .selectAll("orderCorrections")
    .where((eb) => eb.or([eb("orderCorrections.madeBy", "in", userIds), eb("orders.userId", "in", userIds)]))
    .orderBy("orderCorrections.id")
    .execute();

/** Stores what is left of the changes of a correction after an erasure. */
export async function setCorrectedChanges(trx: Trx, id: number, changes: string): Promise<void> {
  await trx.updateTable("orderCorrections").set({ changes }).where("id", "=", id).execute();
}
