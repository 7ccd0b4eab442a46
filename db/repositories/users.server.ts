import { createHash } from "node:crypto";
import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import { foldForSearch } from "~/lib/fold-text";
import { takeLock } from "../advisory-lock.server";
import { byteOrdered } from "../byte-order.server";
import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { begins } from "../like";
import { type CompanyRole, type Database, type NewRow, type Row } from "../tables";
import { insertCompanies, updateCompany } from "./companies.server";
import { noteCalled } from "./former-details.server";

/** The columns of a company as an account shows them: those of the company in which the person works. */
export type CompanyColumns = Omit<
  Row<"companies">,
  "id" | "name" | "sortName" | "partOf" | "createdAt" | "updatedAt"
> & {
  company: string;
};

/** An account with its company and the role in it. The role is null only for a closed account. */
export type UserRow = Row<"users"> & CompanyColumns & { role: CompanyRole | null };

/** A new account, which owns a new company. */
export type NewUser = Omit<NewRow<"users">, "companyId"> & Partial<CompanyColumns> & { company: string };

const NAMES = ["username", "email", "firstName", "lastName", "company"] as const;

/** The details by which the four-eyes principle recognises a person and a company. */
const RECOGNISED_BY = ["email", "firstName", "lastName", "company", "companyRegistrationNumber"] as const;

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

/** Separates what is stored in the account from what is stored in its company. */
function separated<User extends Partial<NewUser>>(user: User) {
  const { company, companyRegistrationNumber, taxNumber, vatNumber, vatNumberChecked, ...others } = user;
  const { companyAddressId, invoicingAddressId, mailingAddressId, ...account } = others;
  const numbers = { companyRegistrationNumber, taxNumber, vatNumber, vatNumberChecked };
  const part = { name: company, ...numbers, companyAddressId, invoicingAddressId, mailingAddressId };
  return { account, part: Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) };
}

/** Selects accounts with the companies in which the persons work. */
export const selectUsers = (db: DbOrTrx) =>
  withCompany(db.selectFrom("users").innerJoin("companies", "companies.id", "users.companyId"));

/** Selects accounts with one company. */
const selectUsersIn = (db: DbOrTrx, companyId: number) =>
  withCompany(db.selectFrom("users").innerJoin("companies", (join) => join.on("companies.id", "=", companyId)));

/** Selects the columns of `UserRow`. */
const withCompany = <Selection>(query: SelectQueryBuilder<Database, "users" | "companies", Selection>) =>
  query
    .selectAll("users")
    .select(["companies.name as company", "companies.companyRegistrationNumber", "companies.taxNumber"])
    .select(["companies.vatNumber", "companies.vatNumberChecked"])
    .select(["companies.companyAddressId", "companies.invoicingAddressId", "companies.mailingAddressId"])
    .select((eb) =>
      eb
        .selectFrom("memberships")
        .select("memberships.role")
        .whereRef("memberships.companyId", "=", "companies.id")
        .whereRef("memberships.userId", "=", "users.id")
        .as("role"),
    );

/** An account, and whether other open accounts share its email. They are merged at the next login. */
export type UserAmongOthers = UserRow & { hasOtherAccounts: boolean };

/** Returns an account, and whether other open accounts share its email, in one statement, because every page of a session asks for both. */
export async function findUserAmongOthers(db: DbOrTrx, id: number): Promise<UserAmongOthers | null> {
  const row = await selectUsers(db)
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom("users as others")
            .select("others.id")
            .whereRef("others.email", "=", "users.email")
            .whereRef("others.id", "!=", "users.id")
            .where("others.isDisabled", "=", false)
            .where("others.adminLockedAt", "is", null)
            .where("others.mergedInto", "is", null),
        )
        .as("hasOtherAccounts"),
    )
    .where("users.id", "=", id)
    .executeTakeFirst();
  return row ? { ...row, hasOtherAccounts: Boolean(row.hasOtherAccounts) } : null;
}

export const findUserById = async (db: DbOrTrx, id: number): Promise<UserRow | null> =>
  (await selectUsers(db).where("users.id", "=", id).executeTakeFirst()) ?? null;

/**
 * Returns an account with this company and the role in it, whichever company the person works in now. Whoever shows the company of an
 * order, a certificate or a code uses this.
 */
export async function findUserFor(
  db: DbOrTrx,
  { userId, companyId }: { userId: number; companyId: number },
): Promise<UserRow | null> {
  const row = await selectUsersIn(db, companyId).where("users.id", "=", userId).executeTakeFirst();
  return row ? { ...row, companyId } : null;
}

/** Returns these accounts. */
export const listUsersById = (db: DbOrTrx, ids: readonly number[]): Promise<UserRow[]> =>
  selectUsers(db).where("users.id", "in", ids).orderBy("users.id").execute();

/**
 * Returns the account and locks it and its company against every other change until the transaction ends, or returns null when there is
 * none.
 */
export async function lockUser(trx: Trx, id: number, now = new Date()): Promise<UserRow | null> {
  const locked = await trx
    .updateTable("users")
    .set({ updatedAt: now })
    .where("id", "=", id)
    .returning("companyId")
    .executeTakeFirst();
  if (!locked) return null;
  await trx.updateTable("companies").set({ updatedAt: now }).where("id", "=", locked.companyId).execute();
  return findUserById(trx, id);
}

/**
 * Returns these accounts and locks them and their companies against changes until the transaction ends. Several transactions can hold this
 * lock at the same time. `ids` has at least one element.
 */
export function holdUsers(trx: Trx, ids: readonly number[]): Promise<UserRow[]> {
  const query = selectUsers(trx).where("users.id", "in", ids).orderBy("users.id");
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
  selectUsers(db)
    .where((eb) => eb.or([eb("users.username", "=", login), eb("users.email", "=", login)]))
    .orderBy("users.id")
    .execute();

/** Returns the statement of `listUserIdsByLoginStart`. Each of the two columns has an index. */
export function loginStartStatement(start: string, limit: number): RawBuilder<{ id: number }> {
  const begun = [sql.ref("sort_username"), byteOrdered(sql.ref<string>("email"))].map(
    (column) => sql`select id from (select id from users where ${begins(column, start)} limit ${limit}) as begun`,
  );
  return sql`${sql.join(begun, sql` union `)} limit ${limit}`;
}

/** Returns the ids of at most `limit` accounts whose user name or email begins with a folded text (`foldForSearch`). */
export async function listUserIdsByLoginStart(db: DbOrTrx, start: string, limit: number): Promise<number[]> {
  const { rows } = await loginStartStatement(start, limit).execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Stores many accounts in a few statements, each as the owner of a new company. Returns their ids by user name. Accounts whose user name is
 * taken are left out: the caller must then undo the transaction, because their companies have been stored.
 */
export async function insertUsers(trx: DbOrTrx, users: readonly NewUser[]): Promise<Map<string, number>> {
  const companies = users.map(({ createdAt, updatedAt, ...user }) => ({
    ...separated(user).part,
    createdAt,
    updatedAt,
  }));
  const companyIds = await insertCompanies(trx, companies as NewRow<"companies">[]);
  const rows = await trx
    .insertInto("users")
    .values(
      users.map((user, index) => ({
        ...separated(user).account,
        ...listTexts(user),
        companyId: companyIds[index] as number,
      })),
    )
    .onConflict((conflict) => conflict.column("username").doNothing())
    .returning(["id", "username", "companyId"])
    .execute();
  const joinedAt = new Date();
  const owners = rows.map(({ id: userId, companyId }) => ({ userId, companyId, role: "owner" as const, joinedAt }));
  if (owners.length > 0) await trx.insertInto("memberships").values(owners).execute();
  return new Map(rows.map(({ id, username }) => [username, id]));
}

/** Stores an account as the owner of a new company. Returns its id. Throws an Error when the user name is taken. */
export async function insertUser(trx: DbOrTrx, user: NewUser): Promise<number> {
  const id = (await insertUsers(trx, [user])).get(user.username);
  if (id === undefined) throw new Error(`The user name '${user.username}' is taken.`);
  return id;
}

/** Stores the account of a person who joins a company. Returns its id. Throws an Error when the user name is taken. */
export async function insertMemberAccount(
  trx: Trx,
  { company, ...user }: Omit<NewRow<"users">, "companyId"> & { company: string },
  { companyId, role }: { companyId: number; role: CompanyRole },
): Promise<number> {
  const row = { ...user, ...listTexts({ ...user, company }), companyId };
  const { id } = await trx.insertInto("users").values(row).returning("id").executeTakeFirstOrThrow();
  await trx.insertInto("memberships").values({ companyId, userId: id, role, joinedAt: new Date() }).execute();
  return id;
}

/** Stores the texts by which tables find these accounts again. */
async function storeTexts(db: DbOrTrx, users: readonly UserRow[]): Promise<void> {
  for (const user of users) await db.updateTable("users").set(listTexts(user)).where("id", "=", user.id).execute();
}

/** Notes what an account and its company are called now (`noteCalled`). */
async function noteNow(db: DbOrTrx, id: number, now: Date): Promise<void> {
  const user = await findUserById(db, id);
  if (user) await noteCalled(db, user, now);
}

/** Stores in which company a person works from now on, and notes what the one before was called. */
export async function setCompanyOf(
  trx: Trx,
  { companyId, userId }: { companyId: number; userId: number },
  now: Date,
): Promise<void> {
  await noteNow(trx, userId, now);
  await trx.updateTable("users").set({ companyId, updatedAt: now }).where("id", "=", userId).execute();
  await noteNow(trx, userId, now);
  await storeTexts(trx, await listUsersById(trx, [userId]));
}

/** Changes an account and the company in which its person works, and notes what they were called before. */
export async function updateUser(db: DbOrTrx, id: number, change: Partial<NewUser>, now = new Date()): Promise<void> {
  const { account, part } = separated(change);
  const isRenamed = RECOGNISED_BY.some((name) => name in change);
  if (isRenamed) await noteNow(db, id, now);
  const changed = await db
    .updateTable("users")
    .set({ ...account, updatedAt: now })
    .where("id", "=", id)
    .returning("companyId")
    .executeTakeFirst();
  if (!changed) return;
  if (Object.keys(part).length > 0) await updateCompany(db, changed.companyId, part, now);
  if (isRenamed) await noteNow(db, id, now);
  if (change.company !== undefined)
    await storeTexts(db, await selectUsers(db).where("users.companyId", "=", changed.companyId).execute());
  else if (NAMES.some((name) => name in change)) await storeTexts(db, await listUsersById(db, [id]));
}

/** Returns whether an enabled account has the right Admin. */
export async function hasAdministrator(db: DbOrTrx): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select("id")
    .where(sql<SqlBool>`users.is_admin`) // written as in the index of these accounts
    .where("isDisabled", "=", false)
    .executeTakeFirst();
  return row !== undefined;
}
