import { type DbOrTrx } from "~db/connection.server";
import { type CalledNow, listFormerCompanyDetails, listFormerDetails } from "~db/repositories/former-details.server";
import { type Row } from "~db/tables";
import { type CompanyNames, type Person } from "./same-person.policy";

type Detail = Pick<Row<"formerUserDetails">, "kind" | "text">;
type Account = CalledNow & Pick<Person, "mergedInto">;

const textsOf = (details: readonly Detail[], kind: Detail["kind"]): string[] =>
  details.filter((detail) => detail.kind === kind).map(({ text }) => text);

const toPerson = (user: Account, former: readonly Detail[]): Person => ({
  id: user.id,
  mergedInto: user.mergedInto,
  names: [`${user.firstName} ${user.lastName}`, ...textsOf(former, "name")],
  emails: [user.email, ...textsOf(former, "email")],
});

/** Returns these accounts with their present and former names and addresses. */
export async function personsOf(db: DbOrTrx, users: readonly Account[]): Promise<Person[]> {
  const former = await listFormerDetails(
    db,
    users.map(({ id }) => id),
  );
  return users.map((user) =>
    toPerson(
      user,
      former.filter(({ userId }) => userId === user.id),
    ),
  );
}

const toCompany = (user: Account, former: readonly Detail[]): CompanyNames => ({
  names: [user.company, ...textsOf(former, "company")],
  registrationNumbers: [user.companyRegistrationNumber ?? "", ...textsOf(former, "company-number")],
});

/** Returns the present and former names and registration numbers of the company of this row. */
export const companyOf = async (db: DbOrTrx, user: Account): Promise<CompanyNames> =>
  toCompany(user, await listFormerCompanyDetails(db, user.companyId));

/** Returns an account with its former names and addresses, and the companies in which its person works and has worked. */
export async function withCompanies(db: DbOrTrx, user: Account): Promise<Person & { companies: CompanyNames }> {
  const former = await listFormerDetails(db, [user.id]);
  const companies = [...former, ...(await listFormerCompanyDetails(db, user.companyId))];
  return { ...toPerson(user, former), companies: toCompany(user, companies) };
}
