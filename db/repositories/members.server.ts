import { type ExpressionBuilder } from "kysely";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type CompanyRole, type Database, type NewRow, type Row } from "../tables";
import { staffIds } from "./users-called.server";

/** A person in a company. */
export interface MembershipKey {
  companyId: number;
  userId: number;
}

export type MemberRow = Awaited<ReturnType<typeof listMembers>>[number];

/** Returns the members of a company with their accounts, in the order in which they joined. */
export const listMembers = (db: DbOrTrx, companyId: number) =>
  db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.userId")
    .select(["users.id", "users.firstName", "users.lastName", "users.email", "users.isDisabled", "users.lastLoginAt"])
    .select(["memberships.role", "memberships.joinedAt"])
    .where("memberships.companyId", "=", companyId)
    .where("users.mergedInto", "is", null)
    .orderBy("memberships.joinedAt")
    .orderBy("users.id")
    .execute();

/** Returns the companies of a person with the roles there, in the order in which the person joined them. */
export const listCompaniesOf = (db: DbOrTrx, userId: number) =>
  db
    .selectFrom("memberships")
    .innerJoin("companies", "companies.id", "memberships.companyId")
    .select(["companies.id", "companies.name", "memberships.role"])
    .where("memberships.userId", "=", userId)
    .orderBy("memberships.joinedAt")
    .orderBy("companies.id")
    .execute();

/**
 * Returns the companies of a person in which there is something to do, in the order in which the person joined them: without those that are
 * empty (`listEmptyCompanies`).
 *
 * @param worksIn The company in which the person works. It is among them, even if it is empty.
 */
export async function listUsefulCompanies(
  db: DbOrTrx,
  { id, worksIn = null }: { id: number; worksIn?: number | null },
) {
  const empty = (await listEmptyCompanies(db, id)).map((company) => company.id);
  return (await listCompaniesOf(db, id)).filter((company) => company.id === worksIn || !empty.includes(company.id));
}

const OWNED_BY_COMPANIES = ["orders", "certificates", "codes", "companyDomains"] as const;
type OwnedTable = (typeof OWNED_BY_COMPANIES)[number];

/** Returns the conditions of which one holds when a company has ordered, registered or confirmed something. */
export const ownsSomething = (eb: ExpressionBuilder<Database, "companies">) => {
  const owned = (table: OwnedTable) =>
    eb.selectFrom(table).select(`${table}.id`).whereRef(`${table}.companyId`, "=", "companies.id");
  return [
    ...(["orders", "certificates", "codes"] as const).map((table) => eb.exists(owned(table))),
    // PostgreSQL would answer `exists` by reading this table whole, because it has few columns.
    eb(owned("companyDomains").limit(1), "is not", null),
  ];
};

const NUMBERS = ["companyRegistrationNumber", "taxNumber", "vatNumber"] as const;
const DETAILS = [...NUMBERS, "companyAddressId", "invoicingAddressId", "mailingAddressId"] as const;

/** Selects the companies that have no details, own nothing, and have this person as their only member. */
const emptyCompanies = (db: DbOrTrx, userId: number) =>
  db
    .selectFrom("companies")
    .select(["companies.id", "companies.name"])
    .where("companies.id", "in", (eb) =>
      eb.selectFrom("memberships as own").select("own.companyId").where("own.userId", "=", userId),
    )
    .where((eb) => {
      const colleagues = eb
        .selectFrom("memberships")
        .innerJoin("users", "users.id", "memberships.userId")
        .select("users.id")
        .whereRef("memberships.companyId", "=", "companies.id")
        .where("users.id", "!=", userId)
        .where("users.mergedInto", "is", null);
      const stated = DETAILS.map((name) => eb(name, "is not", null));
      return eb.not(eb.or([...stated, ...ownsSomething(eb), eb.exists(colleagues)]));
    });

/** Returns the companies that have no details, own nothing, and have this person as their only member. */
export const listEmptyCompanies = (db: DbOrTrx, userId: number) => emptyCompanies(db, userId).execute();

/**
 * Returns whether the company in which a person works still has no name of its own: it is empty (`listEmptyCompanies`), and younger than the
 * account, because the portal made it when the person left another company. A registration makes the company together with the account.
 */
export async function isUnnamed(db: DbOrTrx, userId: number): Promise<boolean> {
  const account = db.selectFrom("users").where("users.id", "=", userId);
  const row = await emptyCompanies(db, userId)
    .where("companies.id", "=", account.select("users.companyId"))
    .where("companies.createdAt", ">", account.select("users.createdAt"))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the name of a customer company of which one of these accounts is a member, or null. A company is a customer's when it owns
 * something or has members besides these accounts.
 *
 * @param companyId Asks about this company only.
 */
export async function findCustomer(
  db: DbOrTrx,
  userIds: readonly number[],
  companyId?: number,
): Promise<string | null> {
  const customers = db
    .selectFrom("companies")
    .select("companies.name")
    .where((eb) => {
      const members = eb
        .selectFrom("memberships")
        .innerJoin("users", "users.id", "memberships.userId")
        .select("memberships.userId")
        .whereRef("memberships.companyId", "=", "companies.id");
      const colleagues = members.where("memberships.userId", "not in", userIds).where("users.mergedInto", "is", null);
      return eb.and([
        eb.exists(members.where("memberships.userId", "in", userIds)),
        eb.or([eb.exists(colleagues), ...ownsSomething(eb)]),
      ]);
    })
    .orderBy("companies.id")
    .limit(1);
  const asked = companyId === undefined ? customers : customers.where("companies.id", "=", companyId);
  return (await asked.executeTakeFirst())?.name ?? null;
}

/** Selects the members of companies who have a right of staff, without closed accounts. */
const staffMembers = (db: DbOrTrx) =>
  db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.userId")
    .where("users.mergedInto", "is", null)
    .where("memberships.userId", "in", staffIds(db));

/** Returns whether a member of a company has a right of staff. */
export async function hasStaff(db: DbOrTrx, companyId: number): Promise<boolean> {
  const members = staffMembers(db).select("users.id").where("memberships.companyId", "=", companyId);
  return (await members.limit(1).executeTakeFirst()) !== undefined;
}

/** Returns the companies that only staff use: all members have a right of staff, and nothing was ordered or registered. */
export async function listStaffCompanies(db: DbOrTrx): Promise<number[]> {
  // They are few, and a database that knows them chooses the indexes of the memberships, however many accounts there are.
  const staff = (await staffIds(db).execute()).map(({ id }) => id);
  if (staff.length === 0) return [];
  const theirs = (await companiesOfQuery(db, staff).execute()).map(({ companyId }) => companyId);
  if (theirs.length === 0) return [];
  return (await staffCompaniesQuery(db, staff, theirs).execute()).map(({ id }) => id);
}

/** Returns the statement for the ids of the companies to which these accounts belong. */
export const companiesOfQuery = (db: DbOrTrx, staff: readonly number[]) =>
  db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.userId")
    .select("memberships.companyId")
    .distinct()
    .where("memberships.userId", "in", staff)
    .where("users.mergedInto", "is", null);

/**
 * Returns the statement of `listStaffCompanies` for these accounts of staff and their companies. Whether a company owns something is asked with
 * the ids of the companies: with their column, PostgreSQL reads whole tables when one company owns most of the rows.
 */
export const staffCompaniesQuery = (db: DbOrTrx, staff: readonly number[], theirs: readonly number[]) =>
  db
    .selectFrom("companies")
    .select("companies.id")
    .where("companies.id", "in", theirs)
    .where((eb) => {
      const others = eb
        .selectFrom("memberships")
        .innerJoin("users", "users.id", "memberships.userId")
        .select("users.id")
        .whereRef("memberships.companyId", "=", "companies.id")
        .where("users.mergedInto", "is", null)
        .where("users.id", "not in", staff);
      const owners = (table: OwnedTable) =>
        eb(
          "companies.id",
          "in",
          eb.selectFrom(table).select(`${table}.companyId`).where(`${table}.companyId`, "in", theirs),
        );
      return eb.not(eb.or([eb.exists(others), ...OWNED_BY_COMPANIES.map(owners)]));
    });

/**
 * Returns which of these accounts have left a company: they are no members, nor is the account into which they were merged. Staff are left
 * out, because they act for customers without being members.
 */
export async function listFormerMembers(
  db: DbOrTrx,
  companyId: number,
  userIds: readonly number[],
): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .selectFrom("users")
    .select("users.id")
    .where("users.id", "in", userIds)
    .where("users.isAdmin", "=", false)
    .where("users.id", "not in", db.selectFrom("userRights").select("userRights.userId"))
    .where((eb) => {
      const membership = eb
        .selectFrom("memberships")
        .select("memberships.userId")
        .where("memberships.companyId", "=", companyId)
        .whereRef("memberships.userId", "=", eb.fn.coalesce("users.mergedInto", "users.id"));
      return eb.not(eb.exists(membership));
    })
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Locks a company until the transaction ends, so that changes of its members come one after the other. */
export async function lockCompany(trx: Trx, id: number, now: Date): Promise<void> {
  await trx.updateTable("companies").set({ updatedAt: now }).where("id", "=", id).execute();
}

/** Adds a person to a company. Returns false when the person is a member already, whose role then stays as it is. */
export async function insertMember(trx: Trx, member: NewRow<"memberships">): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("memberships")
    .values(member)
    .onConflict((conflict) => conflict.columns(["companyId", "userId"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function updateRole(trx: Trx, { companyId, userId }: MembershipKey, role: CompanyRole): Promise<void> {
  const change = trx.updateTable("memberships").set({ role });
  await change.where("companyId", "=", companyId).where("userId", "=", userId).execute();
}

export async function deleteMember(trx: Trx, { companyId, userId }: MembershipKey): Promise<void> {
  await trx.deleteFrom("memberships").where("companyId", "=", companyId).where("userId", "=", userId).execute();
}

export type InvitationRow = Row<"invitations">;

export const insertInvitation = async (trx: Trx, invitation: NewRow<"invitations">): Promise<number> =>
  (await trx.insertInto("invitations").values(invitation).returning("id").executeTakeFirstOrThrow()).id;

/** Selects the invitations of a company that were neither used nor withdrawn nor replaced, oldest first. */
const unusedInvitations = (db: DbOrTrx, companyId: number) =>
  db
    .selectFrom("invitations")
    .innerJoin("users", "users.id", "invitations.invitedBy")
    .selectAll("invitations")
    .select(["users.firstName", "users.lastName"])
    .where("invitations.companyId", "=", companyId)
    .where("invitations.endedAt", "is", null)
    .orderBy("invitations.id");

/** Returns the invitations of a company that can still be used, oldest first. */
export const listOpenInvitations = (db: DbOrTrx, companyId: number, now: Date) =>
  unusedInvitations(db, companyId).where("invitations.expiresAt", ">", now.toISOString()).execute();

/** Returns the invitations of a company that have expired unused since a time, to addresses that no member has. Oldest first. */
export const listExpiredInvitations = (
  db: DbOrTrx,
  companyId: number,
  { since, now }: Readonly<Record<"since" | "now", Date>>,
) =>
  unusedInvitations(db, companyId)
    .where("invitations.expiresAt", "<=", now.toISOString())
    .where("invitations.expiresAt", ">", since.toISOString())
    .where("invitations.email", "not in", (eb) =>
      eb
        .selectFrom("memberships")
        .innerJoin("users as member", "member.id", "memberships.userId")
        .select("member.email")
        .where("memberships.companyId", "=", companyId),
    )
    .execute();

/** Returns the invitation of a link with the name of its company if it can still be used, otherwise null. */
export const findInvitation = async (db: DbOrTrx, tokenHash: string, now: Date) =>
  (await db
    .selectFrom("invitations")
    .innerJoin("companies", "companies.id", "invitations.companyId")
    .selectAll("invitations")
    .select("companies.name as company")
    .where("invitations.tokenHash", "=", tokenHash)
    .where("invitations.endedAt", "is", null)
    .where("invitations.expiresAt", ">", now.toISOString())
    .executeTakeFirst()) ?? null;

/** Ends an invitation. Returns it, or null when it had ended before. Of two transactions at the same time, only one gets it. */
export async function endInvitation(
  trx: Trx,
  { id, companyId }: Pick<InvitationRow, "id" | "companyId">,
  now: Date,
): Promise<InvitationRow | null> {
  const row = await trx
    .updateTable("invitations")
    .set({ endedAt: now })
    .where("id", "=", id)
    .where("companyId", "=", companyId)
    .where("endedAt", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Stores which account has accepted an invitation. */
export async function noteAccepted(trx: Trx, id: number, acceptedBy: number): Promise<void> {
  await trx.updateTable("invitations").set({ acceptedBy }).where("id", "=", id).execute();
}

/** Ends the open invitations that a member has made for a company. */
export async function endInvitationsOf(trx: Trx, { companyId, userId }: MembershipKey, now: Date): Promise<void> {
  const change = trx.updateTable("invitations").set({ endedAt: now }).where("endedAt", "is", null);
  await change.where("companyId", "=", companyId).where("invitedBy", "=", userId).execute();
}

/** Ends the unused invitations of a company to an address. Returns them. */
export const endInvitationsTo = (
  trx: Trx,
  { companyId, email }: { companyId: number; email: string },
  now: Date,
): Promise<InvitationRow[]> => {
  const change = trx.updateTable("invitations").set({ endedAt: now }).where("endedAt", "is", null);
  return change.where("companyId", "=", companyId).where("email", "=", email).returningAll().execute();
};
