import { type DbOrTrx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type UserRow = Row<"users">;

export const findUserById = async (db: DbOrTrx, id: number): Promise<UserRow | null> =>
  (await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;

/** Accounts that a login may mean: by user name, or by e-mail, which several imported accounts can share. */
export const listUsersByLogin = (db: DbOrTrx, login: string): Promise<UserRow[]> =>
  db
    .selectFrom("users")
    .selectAll()
    .where((eb) => eb.or([eb("username", "=", login), eb("email", "=", login)]))
    .orderBy("id")
    .execute();

export async function insertUser(db: DbOrTrx, user: NewRow<"users">): Promise<number> {
  return (await db.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow()).id;
}

export async function updateUser(
  db: DbOrTrx,
  id: number,
  change: Partial<NewRow<"users">>,
  now = new Date(),
): Promise<void> {
  await db
    .updateTable("users")
    .set({ ...change, updatedAt: now })
    .where("id", "=", id)
    .execute();
}

export async function hasAdministrator(db: DbOrTrx): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select("id")
    .where("isAdmin", "=", 1)
    .where("isDisabled", "=", 0)
    .executeTakeFirst();
  return row !== undefined;
}
