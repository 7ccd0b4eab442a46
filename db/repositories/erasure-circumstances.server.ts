import { type DbOrTrx } from "../connection.server";
import { namesAddress } from "../like";

/** Returns an account and those that were merged into it. They are one person. */
export const listAccountsOfPerson = (db: DbOrTrx, id: number) =>
  db
    .selectFrom("users")
    .select(["id", "username", "email", "firstName", "lastName", "telephoneNumber"])
    .select(["emailVerifiedAt", "mergedInto", "erasedAt"])
    .where((eb) => eb.or([eb("id", "=", id), eb("mergedInto", "=", id)]))
    .orderBy("id")
    .execute();

/** Returns the user names of open accounts with one of these addresses, without these accounts. */
export const listTwins = async (
  db: DbOrTrx,
  { ids, emails }: { ids: readonly number[]; emails: readonly string[] },
): Promise<string[]> =>
  emails.length === 0
    ? []
    : (
        await db
          .selectFrom("users")
          .select("username")
          .where("email", "in", emails)
          .where("id", "not in", ids)
          .where("isDisabled", "=", false)
          .orderBy("id")
          .execute()
      ).map(({ username }) => username);

/** Returns those of these user names and addresses that accounts other than these have. */
export async function listTakenLogins(
  db: DbOrTrx,
  { ids, logins }: { ids: readonly number[]; logins: readonly string[] },
): Promise<string[]> {
  if (logins.length === 0) return [];
  const rows = await db
    .selectFrom("users")
    .select(["username", "email"])
    .where("id", "not in", ids)
    .where((eb) => eb.or([eb("email", "in", logins), eb("username", "in", logins)]))
    .execute();
  return rows.flatMap(({ username, email }) => [username, email]);
}

const countOf = (row: { count: number | string | bigint }) => Number(row.count);

/** Returns what a company has that somebody must answer for. */
export async function countHoldings(db: DbOrTrx, companyId: number, now: Date) {
  const certificates = db
    .selectFrom("certificates")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("companyId", "=", companyId);
  const orders = db
    .selectFrom("orders")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("companyId", "=", companyId)
    .where("status", "in", ["Open", "Invoiced"]);
  const codes = db
    .selectFrom("codes")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("companyId", "=", companyId)
    .where("status", "=", "Registered");
  const inForce = certificates
    .where("status", "in", ["Issued", "Downloaded", "RequestRevoke"])
    .where((eb) => eb.or([eb("expiryDate", "is", null), eb("expiryDate", ">", now.toISOString())]));
  return {
    certificatesInForce: countOf(await inForce.executeTakeFirstOrThrow()),
    pendingCertificates: countOf(await certificates.where("status", "=", "Pending").executeTakeFirstOrThrow()),
    registeredCodes: countOf(await codes.executeTakeFirstOrThrow()),
    unpaidOrders: countOf(await orders.executeTakeFirstOrThrow()),
  };
}

/** Returns the companies with one of these names that have no member: they have ended, or became part of another one. */
export const listCompaniesWithoutMembers = (db: DbOrTrx, names: readonly string[]) =>
  db
    .selectFrom("companies")
    .select(["id", "name"])
    .where("name", "in", names)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("memberships")
            .select("memberships.userId")
            .whereRef("memberships.companyId", "=", "companies.id"),
        ),
      ),
    )
    .orderBy("id")
    .execute();

/** Returns the companies of these accounts with their other members, as counts. */
export const listHeldCompanies = (db: DbOrTrx, ids: readonly number[]) =>
  db
    .selectFrom("memberships")
    .innerJoin("companies", "companies.id", "memberships.companyId")
    .select(["companies.id", "companies.name", "memberships.role"])
    .select((eb) => [
      eb
        .selectFrom("memberships as other")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("other.companyId", "=", "companies.id")
        .where("other.userId", "not in", ids)
        .as("others"),
      eb
        .selectFrom("memberships as owner")
        .innerJoin("users", "users.id", "owner.userId")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("owner.companyId", "=", "companies.id")
        .where("owner.userId", "not in", ids)
        .where("owner.role", "=", "owner")
        .where("users.isDisabled", "=", false)
        .as("otherOwners"),
    ])
    .where("memberships.userId", "in", ids)
    .orderBy("companies.id")
    .execute();

/**
 * Returns the certificates with a contact that has one of these addresses in lower case, whoever ordered them. The text of the contacts is
 * read for the search, so that the caller compares the addresses.
 */
export const listCertificateContacts = (db: DbOrTrx, emails: readonly string[]) =>
  db
    .selectFrom("certificates")
    .select(["id", "orderId", "userId", "status", "expiryDate", "technicalContact", "authenticationContact"])
    .where((eb) =>
      eb.or([namesAddress(eb.ref("technicalContact"), emails), namesAddress(eb.ref("authenticationContact"), emails)]),
    )
    .orderBy("id")
    .execute();
