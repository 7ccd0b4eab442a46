import { type DbOrTrx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type Address = Omit<Row<"addresses">, "userId">;

export async function findAddress(db: DbOrTrx, id: number | null): Promise<Address | null> {
  if (id === null) return null;
  const row = await db.selectFrom("addresses").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) return null;
  const { userId: _, ...address } = row;
  return address;
}

export async function listAddresses(db: DbOrTrx, ids: readonly number[]): Promise<Address[]> {
  return ids.length === 0 ? [] : db.selectFrom("addresses").selectAll().where("id", "in", ids).execute();
}

/** Updates the address with this id, or inserts a new one when `id` is null. Returns the id. */
export async function saveAddress(db: DbOrTrx, id: number | null, address: NewRow<"addresses">): Promise<number> {
  if (id === null)
    return (await db.insertInto("addresses").values(address).returning("id").executeTakeFirstOrThrow()).id;
  await db.updateTable("addresses").set(address).where("id", "=", id).execute();
  return id;
}

export async function deleteAddress(db: DbOrTrx, id: number): Promise<void> {
  await db.deleteFrom("addresses").where("id", "=", id).execute();
}
