import { type DbOrTrx, type Trx } from "../connection.server";

/** The user id of settings that belong to the portal itself. */
export const PORTAL = 0;

interface Key {
  name: string;
  userId: number;
}

export async function findSetting(db: DbOrTrx, { name, userId }: Key): Promise<string | null> {
  const row = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", name)
    .where("userId", "=", userId)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Inserts or updates a setting. */
export async function putSetting(trx: Trx, { name, userId }: Key, value: string, now: Date): Promise<void> {
  await trx
    .insertInto("settings")
    .values({ name, userId, value, updatedAt: now })
    .onConflict((conflict) => conflict.columns(["name", "userId"]).doUpdateSet({ value, updatedAt: now }))
    .execute();
}

/** Returns a setting, or "" when there is none, and locks it against other transactions until this one ends. */
export async function lockSetting(trx: Trx, { name, userId }: Key, now: Date): Promise<string> {
  const { value } = await trx
    .insertInto("settings")
    .values({ name, userId, value: "", updatedAt: now })
    .onConflict((conflict) => conflict.columns(["name", "userId"]).doUpdateSet({ updatedAt: now }))
    .returning("value")
    .executeTakeFirstOrThrow();
  return value;
}

/** Deletes a setting. Returns whether it existed. */
export async function deleteSetting(trx: Trx, { name, userId }: Key): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("settings")
    .where("name", "=", name)
    .where("userId", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
