import { type DbOrTrx, type Trx } from "../connection.server";

/** What a setting belongs to when it is no user's: the portal itself. */
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

/** Stores the value, whether the setting was there before or not. */
export async function putSetting(trx: Trx, { name, userId }: Key, value: string, now: Date): Promise<void> {
  await trx
    .insertInto("settings")
    .values({ name, userId, value, updatedAt: now })
    .onConflict((conflict) => conflict.columns(["name", "userId"]).doUpdateSet({ value, updatedAt: now }))
    .execute();
}

/** Out: whether there was such a setting. */
export async function deleteSetting(trx: Trx, { name, userId }: Key): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("settings")
    .where("name", "=", name)
    .where("userId", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
