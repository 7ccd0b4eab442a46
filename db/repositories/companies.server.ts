import { sql } from "kysely";
import { foldForSearch } from "~/lib/fold-text";
import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type CompanyRole, type NewRow, type Row } from "../tables";

export type CompanyRow = Row<"companies">;

/** Stores companies. Returns their ids in the same order. */
export async function insertCompanies(db: DbOrTrx, companies: readonly NewRow<"companies">[]): Promise<number[]> {
  const stored = companies.map((company) => ({ ...company, sortName: foldForSearch(company.name) }));
  const rows = await db.insertInto("companies").values(stored).returning("id").execute();
  return rows.map(({ id }) => id).sort((one, other) => one - other); // ids are assigned in the order of `companies`
}

export async function updateCompany(
  db: DbOrTrx,
  id: number,
  change: Partial<NewRow<"companies">>,
  now: Date,
): Promise<void> {
  await db
    .updateTable("companies")
    .set({ ...change, ...(change.name !== undefined && { sortName: foldForSearch(change.name) }), updatedAt: now })
    .where("id", "=", id)
    .execute();
}

export const findCompany = async (db: DbOrTrx, id: number): Promise<CompanyRow | null> =>
  (await db.selectFrom("companies").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;

/** Returns the companies with the name of this one, also this one. */
export const listCompaniesNamed = (db: DbOrTrx, { name, sortName }: Pick<CompanyRow, "name" | "sortName">) =>
  db.selectFrom("companies").select(["id", "name"]).where("sortName", "=", sortName).where("name", "=", name).execute();

/** Returns the companies that were not merged into another one and have this name, whatever its case and accents. At most 10, the oldest first. */
export const listCompaniesCalled = (db: DbOrTrx, name: string) =>
  db
    .selectFrom("companies")
    .select(["id", "name"])
    .where("sortName", "=", foldForSearch(name))
    .where("partOf", "is", null)
    .orderBy("id")
    .limit(10)
    .execute();

/** Returns these companies. */
export const listCompaniesById = (db: DbOrTrx, ids: readonly number[]): Promise<CompanyRow[]> =>
  db.selectFrom("companies").selectAll().where("id", "in", ids).execute();

/** Returns in which of these companies a person is a member. */
export async function listMembershipsAmong(
  db: DbOrTrx,
  userId: number,
  companyIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom("memberships")
    .select("companyId")
    .where("userId", "=", userId)
    .where("companyId", "in", companyIds)
    .execute();
  return new Set(rows.map(({ companyId }) => companyId));
}

/**
 * Returns the id of the owner of a company to whom messages about the whole company go: the one who joined first, of those who can log in
 * if there are any. Returns null when the company has no owner.
 */
export async function findFirstOwner(db: DbOrTrx, companyId: number): Promise<number | null> {
  const row = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.userId")
    .select("users.id")
    .where("memberships.companyId", "=", companyId)
    .where("memberships.role", "=", "owner")
    .orderBy("users.isDisabled")
    .orderBy("memberships.joinedAt")
    .orderBy("users.id")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Returns the role of a person in a company, or null for somebody who is no member. */
export const findRole = async (
  db: DbOrTrx,
  { companyId, userId }: { companyId: number; userId: number },
): Promise<CompanyRole | null> =>
  (
    await db
      .selectFrom("memberships")
      .select("role")
      .where("companyId", "=", companyId)
      .where("userId", "=", userId)
      .executeTakeFirst()
  )?.role ?? null;

/** Returns the company that a person works in now. Throws an Error when there is no such account. */
export const findCompanyId = async (db: DbOrTrx, userId: number): Promise<number> =>
  (await db.selectFrom("users").select("companyId").where("id", "=", userId).executeTakeFirstOrThrow()).companyId;

/**
 * Returns the email of an account with the name and address of a company, and locks both against changes until the transaction ends.
 * Several transactions can hold this lock at the same time. Returns null when one of them is missing.
 */
export async function holdOwner(trx: Trx, { userId, companyId }: { userId: number; companyId: number }) {
  const query = trx
    .selectFrom("users")
    .innerJoin("companies", (join) => join.on("companies.id", "=", companyId))
    .select(["users.email", "companies.name as company", "companies.companyAddressId"])
    .where("users.id", "=", userId);
  return (await (getConnection().dialect === "postgres" ? query.forShare() : query).executeTakeFirst()) ?? null;
}

/** The migration from which on people share companies. Until then, an account was a company, which has its number. */
const COMPANIES_SHARED = "0014-company-members";

/** Returns the ISO timestamp from which on people could share a company. */
export async function companiesSharedSince(db: DbOrTrx): Promise<string> {
  const { rows } = await sql<{ at: string }>`select timestamp as at from kysely_migration
    where name = ${COMPANIES_SHARED}`.execute(db);
  return rows[0]?.at ?? "";
}
