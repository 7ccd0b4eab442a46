import { createHash } from "node:crypto";
import { type Expression, sql, type SqlBool } from "kysely";
import { foldForSearch } from "~/lib/fold-text";
import { takeLock } from "../advisory-lock.server";
import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { escapeLike } from "../like";
import { type NewRow, type Row } from "../tables";

export type UserRow = Row<"users">;

const NAMES = ["username", "email", "firstName", "lastName", "company"] as const;

/** Returns the columns by which tables search and sort accounts. */
function listTexts({ username, email, firstName, lastName, company }: Pick<UserRow, (typeof NAMES)[number]>) {
  const words = new Set([`${firstName} ${lastName}`, company, email, username].map(foldForSearch));
  return {
    searchText: [...words].join(" "),
    sortName: foldForSearch(`${lastName} ${firstName}`),
    sortCompany: foldForSearch(company),
    sortUsername: foldForSearch(username),
  };
}

export const findUserById = async (db: DbOrTrx, id: number): Promise<UserRow | null> =>
  (await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;

/** Returns these accounts. */
export const listUsersById = (db: DbOrTrx, ids: readonly number[]): Promise<UserRow[]> =>
  db.selectFrom("users").selectAll().where("id", "in", ids).orderBy("id").execute();

/** Returns the account and locks it against every other change until the transaction ends, or returns null when there is none. */
export const lockUser = async (trx: Trx, id: number, now = new Date()): Promise<UserRow | null> =>
  (await trx.updateTable("users").set({ updatedAt: now }).where("id", "=", id).returningAll().executeTakeFirst()) ??
  null;

/**
 * Returns these accounts and locks them against changes until the transaction ends. Several transactions can hold this lock at the same
 * time. `ids` has at least one element.
 */
export function holdUsers(trx: Trx, ids: readonly number[]): Promise<UserRow[]> {
  const query = trx.selectFrom("users").selectAll().where("id", "in", ids).orderBy("id");
  return (getConnection().dialect === "postgres" ? query.forShare() : query).execute();
}

/** Returns one account and locks it as `holdUsers` does, or returns null. */
export const holdUser = async (trx: Trx, id: number): Promise<UserRow | null> =>
  (await holdUsers(trx, [id]))[0] ?? null;

/**
 * Locks an email until the transaction ends, so that no other transaction can give it to an account meanwhile. Every function that sets an
 * email takes this lock before it checks whether the email is free.
 */
export async function lockEmail(trx: Trx, email: string): Promise<void> {
  await takeLock(trx, "email", createHash("sha256").update(email).digest().readInt32BE());
}

/** Returns the accounts that a login can mean: by user name, or by email, which several imported accounts can share. */
export const listUsersByLogin = (db: DbOrTrx, login: string): Promise<UserRow[]> =>
  db
    .selectFrom("users")
    .selectAll()
    .where((eb) => eb.or([eb("username", "=", login), eb("email", "=", login)]))
    .orderBy("id")
    .execute();

/** Returns the ids of the first `limit` accounts whose user name or email begins with a folded text (`foldForSearch`). */
export async function listUserIdsByLoginStart(db: DbOrTrx, start: string, limit: number): Promise<number[]> {
  const begins = (column: Expression<string>) => sql<SqlBool>`${column} like ${`${escapeLike(start)}%`} escape '\\'`;
  const rows = await db
    .selectFrom("users")
    .select("id")
    .where((eb) => eb.or([begins(eb.ref("sortUsername")), begins(eb.ref("email"))]))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns whether other open accounts share the email of this one. They are merged at the next login. */
export async function hasOtherAccounts(db: DbOrTrx, user: { id: number; email: string }): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select("id")
    .where("email", "=", user.email)
    .where("id", "!=", user.id)
    .where("isDisabled", "=", false)
    .where("adminLockedAt", "is", null)
    .where("mergedInto", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertUser(db: DbOrTrx, user: NewRow<"users">): Promise<number> {
  const row = { ...user, ...listTexts(user) };
  return (await db.insertInto("users").values(row).returning("id").executeTakeFirstOrThrow()).id;
}

/** Stores many accounts in one statement. Returns their ids by user name. Accounts whose user name is taken are skipped. */
export async function insertUsers(db: DbOrTrx, users: readonly NewRow<"users">[]): Promise<Map<string, number>> {
  const rows = await db
    .insertInto("users")
    .values(users.map((user) => ({ ...user, ...listTexts(user) })))
    .onConflict((conflict) => conflict.column("username").doNothing())
    .returning(["id", "username"])
    .execute();
  return new Map(rows.map(({ id, username }) => [username, id]));
}

export async function updateUser(
  db: DbOrTrx,
  id: number,
  change: Partial<NewRow<"users">>,
  now = new Date(),
): Promise<void> {
  const named = await db
    .updateTable("users")
    .set({ ...change, updatedAt: now })
    .where("id", "=", id)
    .returning(NAMES)
    .executeTakeFirst();
  if (named && NAMES.some((name) => name in change))
    await db.updateTable("users").set(listTexts(named)).where("id", "=", id).execute();
}

/** Returns whether an enabled account has the right Admin. */
export async function hasAdministrator(db: DbOrTrx): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select("id")
    .where("isAdmin", "=", true)
    .where("isDisabled", "=", false)
    .executeTakeFirst();
  return row !== undefined;
}
