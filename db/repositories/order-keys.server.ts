import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type OrderKeyRow = Row<"apiIdempotency">;

/**
 * Takes a key until the transaction ends. Other transactions that want it wait until then. Returns false when the key is already stored.
 */
export async function takeOrderKey(trx: Trx, row: NewRow<"apiIdempotency">): Promise<boolean> {
  const taken = await trx
    .insertInto("apiIdempotency")
    .values(row)
    .onConflict((conflict) => conflict.columns(["userId", "keyHash"]).doNothing())
    .returning("keyHash")
    .executeTakeFirst();
  return taken !== undefined;
}

type Key = Pick<OrderKeyRow, "userId" | "keyHash">;

/** Records the order that was stored with a key. */
export async function setKeyedOrder(trx: Trx, { userId, keyHash }: Key, orderId: number): Promise<void> {
  await trx
    .updateTable("apiIdempotency")
    .set({ orderId })
    .where("userId", "=", userId)
    .where("keyHash", "=", keyHash)
    .execute();
}

export async function findOrderKey(db: DbOrTrx, { userId, keyHash }: Key): Promise<OrderKeyRow | null> {
  const row = await db
    .selectFrom("apiIdempotency")
    .selectAll()
    .where("userId", "=", userId)
    .where("keyHash", "=", keyHash)
    .executeTakeFirst();
  return row ?? null;
}
