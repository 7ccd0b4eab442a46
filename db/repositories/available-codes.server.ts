import { type DbOrTrx, type Trx } from "../connection.server";
import { type CodeType, type NewRow } from "../tables";

/** Makes the codes of a paid order available. Fails when it was done before for the same order. */
export async function addAvailableCodes(trx: Trx, codes: NewRow<"availableCodes">): Promise<void> {
  await trx.insertInto("availableCodes").values(codes).execute();
}

/**
 * Withdraws all the codes that a paid order made available, `quantity` of them. Returns false and changes nothing when some are used up.
 */
export async function withdrawAvailableCodes(trx: Trx, orderId: number, quantity: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("availableCodes")
    .where("orderId", "=", orderId)
    .where("quantity", "=", quantity)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Returns how many codes of each type this company can still register. Types without any are left out. */
export const listAvailableCodes = (
  db: DbOrTrx,
  companyId: number,
): Promise<{ codeType: CodeType; quantity: number }[]> =>
  db
    .selectFrom("availableCodes")
    .select((eb) => ["codeType", eb.fn.sum<number>("quantity").as("quantity")])
    .where("companyId", "=", companyId)
    .where("quantity", ">", 0)
    .groupBy("codeType")
    .orderBy("codeType")
    .execute();

/** Uses up one code of this type, from the oldest order that has one. Returns the id of that order, or null when there is none. */
export async function takeAvailableCode(trx: Trx, companyId: number, codeType: CodeType): Promise<number | null> {
  for (;;) {
    const open = trx
      .selectFrom("availableCodes")
      .select("orderId")
      .where("companyId", "=", companyId)
      .where("codeType", "=", codeType)
      .where("quantity", ">", 0);
    const oldest = await open.orderBy("orderId").limit(1).executeTakeFirst();
    if (!oldest) return null;
    const { numUpdatedRows } = await trx
      .updateTable("availableCodes")
      .set((eb) => ({ quantity: eb("quantity", "-", 1) }))
      .where("orderId", "=", oldest.orderId)
      .where("quantity", ">", 0) // another transaction may have taken the last one
      .executeTakeFirst();
    if (numUpdatedRows === 1n) return oldest.orderId;
  }
}
