import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type CompanyRole, type Row } from "../tables";
import { findCompanyId, findRole } from "./companies.server";
import { inheritCompanyDetails } from "./former-details.server";
import { selectUsers, type UserRow } from "./users.server";

/**
 * Tables whose rows belong to an account by `userId` and move with it. A new table of this kind must be added here; a test finds missing
 * ones. Drafts come first: an order is stored while its draft is locked, so a merge waits for that transaction and then finds the order.
 */
export const OWNED_TABLES = [
  "drafts",
  "orders",
  "certificates",
  "codes",
  "availableCodes",
  "addresses",
  "tokens",
] as const;

/** Tables in which `userId` does not mean the owner, or whose rows are moved separately. */
export const OTHER_TABLES = [
  "auditEntries",
  "securityEvents",
  "settings",
  "apiTokens",
  "sessions",
  "apiIdempotency",
  "loginPlaces",
  "memberships",
  "formerUserDetails",
  "userRights",
  "groupRights",
  "signOnIdentities",
  "secondFactors",
  "recoveryCodes",
  "dualControlRequests",
  "auditErasures",
  "erasedContacts",
  "entityFollowers",
] as const;

export type Moved = Record<(typeof OWNED_TABLES)[number] | "settings", number>;

const openAccounts = (db: DbOrTrx, email: string) =>
  selectUsers(db)
    .where("email", "=", email)
    .where("isDisabled", "=", false)
    .where("adminLockedAt", "is", null)
    .where("mergedInto", "is", null)
    .orderBy("users.id");

/** Returns the open accounts with this email, which a merge combines. */
export const listOpenAccounts = (db: DbOrTrx, email: string): Promise<UserRow[]> => openAccounts(db, email).execute();

/**
 * Returns the open accounts with this email and locks them against changes until the transaction ends. SQLite needs no lock, because a
 * transaction is the only writer from its beginning.
 */
export const lockOpenAccounts = (trx: Trx, email: string): Promise<UserRow[]> =>
  (getConnection().dialect === "postgres"
    ? openAccounts(trx, email).forNoKeyUpdate()
    : openAccounts(trx, email)
  ).execute();

/**
 * Moves settings to another account. A setting that the new owner already has stays. When several of the old accounts have the same
 * setting, only the latest one moves. Returns how many moved.
 */
async function moveSettings(trx: Trx, from: readonly number[], to: number): Promise<number> {
  const own = await trx.selectFrom("settings").select("name").where("userId", "=", to).execute();
  const theirs = await trx
    .selectFrom("settings")
    .select(["name", "userId"])
    .where("userId", "in", from)
    .orderBy("updatedAt", "desc")
    .orderBy("userId")
    .execute();
  const taken = new Set(own.map(({ name }) => name));
  let moved = 0;
  for (const { name, userId } of theirs) {
    if (taken.has(name)) continue;
    taken.add(name);
    await trx
      .updateTable("settings")
      .set({ userId: to })
      .where("name", "=", name)
      .where("userId", "=", userId)
      .execute();
    moved += 1;
  }
  return moved;
}

/**
 * Ends the unused links, codes and permits of these accounts. Links that confirm the common email stay valid, because they serve the new
 * owner.
 */
export async function endPersonalTokens(trx: Trx, from: readonly number[], now: Date): Promise<void> {
  await trx
    .updateTable("tokens")
    .set({ usedAt: now })
    .where("userId", "in", from)
    .where("purpose", "!=", "verify-email")
    .where("usedAt", "is", null)
    .execute();
}

/** Messages that wait until the address of one of these accounts is confirmed now wait for that of the new owner. */
const moveAwaiting = (trx: Trx, from: readonly number[], to: number) =>
  trx.updateTable("mails").set({ awaitsUserId: to }).where("awaitsUserId", "in", from).execute();

/** Whoever is one of these accounts at the identity provider is the new owner from now on. */
const moveIdentities = (trx: Trx, from: readonly number[], to: number) =>
  trx.updateTable("signOnIdentities").set({ userId: to }).where("userId", "in", from).execute();

/** Whoever answered for an API client or an ACME key, or made secrets, as one of these accounts did so as the new owner. */
async function moveResponsibility(trx: Trx, from: readonly number[], to: number): Promise<void> {
  await trx.updateTable("apiClients").set({ responsibleId: to }).where("responsibleId", "in", from).execute();
  await trx.updateTable("apiClientSecrets").set({ createdBy: to }).where("createdBy", "in", from).execute();
  await trx.updateTable("acmeKeys").set({ madeBy: to }).where("madeBy", "in", from).execute();
}

/** Whoever was told of changes at an entity as one of these accounts is told as the new owner, once. */
async function moveFollowed(trx: Trx, from: readonly number[], to: number): Promise<void> {
  const followed = trx.selectFrom("entityFollowers").selectAll().where("userId", "in", from).orderBy("id");
  for (const { id: _id, ...row } of await followed.execute())
    await trx
      .insertInto("entityFollowers")
      .values({ ...row, userId: to })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await trx.deleteFrom("entityFollowers").where("userId", "in", from).execute();
}

/** Tables whose rows belong to a company. */
const COMPANY_TABLES = [
  "orders",
  "certificates",
  "certificateTags",
  "certificatePartners",
  "entityCertificates",
  "entityFollowers",
  "codes",
  "availableCodes",
  "drafts",
  "companyNotes",
  "companyDomains",
  "standingAuthorisations",
  "apiClients",
  "webhookEndpoints",
  "acmeKeys",
] as const;

/** Returns whether these accounts are the only members of a company and own it. */
async function areAlone(db: DbOrTrx, companyId: number, accounts: readonly number[]): Promise<boolean> {
  const members = db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.userId")
    .select("users.id")
    .where("memberships.companyId", "=", companyId)
    .where("users.mergedInto", "is", null)
    .limit(1);
  const colleague = await members.where("users.id", "not in", accounts).executeTakeFirst();
  if (colleague) return false;
  return (await members.where("memberships.role", "=", "owner").executeTakeFirst()) !== undefined;
}

/**
 * Returns the companies that a merge of accounts makes part of the company in which the remaining account works. Only companies of one
 * person become one: nobody else is a member of either of them. A company to which the remaining account belongs already stays.
 *
 * @param from The accounts that the merge closes.
 * @param to The account that remains.
 */
export async function listJoinedCompanies(db: DbOrTrx, from: readonly number[], to: number): Promise<number[]> {
  const accounts = [...from, to];
  if (from.length === 0 || !(await areAlone(db, await findCompanyId(db, to), accounts))) return [];
  const rows = await db
    .selectFrom("memberships as own")
    .select("own.companyId")
    .distinct()
    .where("own.userId", "in", from)
    .where((eb) => {
      const members = eb
        .selectFrom("memberships")
        .innerJoin("users", "users.id", "memberships.userId")
        .select("users.id")
        .whereRef("memberships.companyId", "=", "own.companyId")
        .where("users.mergedInto", "is", null);
      return eb.not(eb.exists(members.where("users.id", "not in", from)));
    })
    .orderBy("own.companyId")
    .execute();
  return rows.map(({ companyId }) => companyId);
}

/** Returns the companies to which these accounts belong, by number. */
export const listCompaniesOfMany = (db: DbOrTrx, userIds: readonly number[]) =>
  db
    .selectFrom("companies")
    .select(["id", "name"])
    .where("id", "in", db.selectFrom("memberships").select("companyId").where("userId", "in", userIds))
    .orderBy("id")
    .execute();

/** Returns the memberships in these companies, except of accounts that were merged into others. */
export const listMembershipsIn = (db: DbOrTrx, companyIds: readonly number[]) =>
  db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.userId")
    .select(["memberships.companyId", "memberships.userId", "memberships.role"])
    .where("memberships.companyId", "in", companyIds)
    .where("users.mergedInto", "is", null)
    .orderBy("memberships.companyId")
    .orderBy("memberships.userId")
    .execute();

/** The roles of members, highest first. */
const ROLES_BY_RANK: readonly CompanyRole[] = ["owner", "purchaser", "technical", "reader"];

/** Makes an account a member of a company in the role of another account, which leaves it. A higher role of its own stays. */
async function takeMembership(trx: Trx, companyId: number, from: Row<"memberships">, to: number): Promise<void> {
  const own = await findRole(trx, { companyId, userId: to });
  const { role, joinedAt } = from;
  if (own === null) await trx.insertInto("memberships").values({ companyId, userId: to, role, joinedAt }).execute();
  else if (ROLES_BY_RANK.indexOf(role) < ROLES_BY_RANK.indexOf(own))
    await trx
      .updateTable("memberships")
      .set({ role })
      .where("companyId", "=", companyId)
      .where("userId", "=", to)
      .execute();
  await trx.deleteFrom("memberships").where("companyId", "=", companyId).where("userId", "=", from.userId).execute();
}

/** Notes of which company another one became part. So are those that became part of it earlier. */
async function notePartOf(trx: Trx, id: number, partOf: number): Promise<void> {
  await trx
    .updateTable("companies")
    .set({ partOf })
    .where((eb) => eb.or([eb("id", "=", id), eb("partOf", "=", id)]))
    .execute();
}

/** Ends the invitations to a company that became part of another one, because they would lead into an empty one. */
async function endInvitationsInto(trx: Trx, companyId: number, now: Date): Promise<void> {
  const open = trx.updateTable("invitations").set({ endedAt: now }).where("endedAt", "is", null);
  await open.where("companyId", "=", companyId).execute();
}

/**
 * Merges the companies of these accounts into the company of another account (`listJoinedCompanies`): what they own moves. Of the companies
 * that stay, the other account takes over the memberships. So neither do colleagues see what was one person's alone, nor does a company
 * lose what is theirs.
 */
async function moveCompanies(trx: Trx, from: readonly number[], to: number, now: Date): Promise<void> {
  const target = await findCompanyId(trx, to);
  const joined = await listJoinedCompanies(trx, from, to);
  for (const companyId of joined) {
    for (const table of COMPANY_TABLES)
      await trx.updateTable(table).set({ companyId: target }).where("companyId", "=", companyId).execute();
    await inheritCompanyDetails(trx, companyId, target, now);
    await notePartOf(trx, companyId, target);
    await endInvitationsInto(trx, companyId, now);
  }
  const memberships = await trx.selectFrom("memberships").selectAll().where("userId", "in", from).execute();
  for (const membership of memberships.filter(({ companyId }) => !joined.includes(companyId)))
    await takeMembership(trx, membership.companyId, membership, to);
}

/** Moves everything that these accounts own to another account. Returns the number of rows moved in each table. */
export async function moveOwned(trx: Trx, from: readonly number[], to: number, now = new Date()): Promise<Moved> {
  const moved: Partial<Moved> = {};
  await moveCompanies(trx, from, to, now);
  for (const table of OWNED_TABLES) {
    const { numUpdatedRows } = await trx
      .updateTable(table)
      .set({ userId: to })
      .where("userId", "in", from)
      .executeTakeFirst();
    moved[table] = Number(numUpdatedRows);
  }
  await moveAwaiting(trx, from, to);
  await moveIdentities(trx, from, to);
  await moveResponsibility(trx, from, to);
  await moveFollowed(trx, from, to);
  return { ...(moved as Moved), settings: await moveSettings(trx, from, to) };
}

/** Closes accounts permanently. Their sessions end, and they and the accounts merged into them earlier now refer to the new account. */
export async function closeMerged(trx: Trx, from: readonly number[], to: number, now: Date): Promise<void> {
  await trx.updateTable("users").set({ mergedInto: to }).where("mergedInto", "in", from).execute();
  await trx
    .updateTable("users")
    .set((eb) => ({ isDisabled: true, mergedInto: to, sessionEpoch: eb("sessionEpoch", "+", 1), updatedAt: now }))
    .where("id", "in", from)
    .execute();
}

/** Returns the number of certificates, codes and orders of each account, as one Map by account id for each of the three. */
export async function countOwned(db: DbOrTrx, ids: readonly number[]) {
  const count = async (table: "certificates" | "codes" | "orders") => {
    const rows = await db
      .selectFrom(table)
      .select(({ fn }) => ["userId", fn.countAll<number>().as("count")])
      .where("userId", "in", ids)
      .groupBy("userId")
      .execute();
    return new Map(rows.map((row) => [row.userId, Number(row.count)]));
  };
  return { certificates: await count("certificates"), codes: await count("codes"), orders: await count("orders") };
}
