import { type DbOrTrx } from "~db/connection.server";
import { listCompaniesById } from "~db/repositories/companies.server";
import { type CalledNow, listFormerCompanyDetails, listFormerDetails } from "~db/repositories/former-details.server";
import { listAccountsCalled, listStaffAccounts } from "~db/repositories/users-called.server";
import { type Row } from "~db/tables";
import { type CompanyNames, type NamedPerson, type Person } from "./same-person.policy";

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
  if (users.length === 0) return [];
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

/** Returns all members of staff, also those who cannot log in now, with their present and former names and addresses. */
export const listStaffPersons = async (db: DbOrTrx): Promise<Person[]> => personsOf(db, await listStaffAccounts(db));

/** Returns the people whom customers named by name and email address, each with the accounts that have or had the address. */
export async function namedPersons(
  db: DbOrTrx,
  named: readonly { name: string; email: string }[],
): Promise<NamedPerson[]> {
  const emails = [...new Set(named.map(({ email }) => email.toLowerCase()))];
  const accounts = await personsOf(db, emails.length > 0 ? await listAccountsCalled(db, emails) : []);
  return named.map(({ name, email }) => ({
    names: [name],
    emails: [email],
    accounts: accounts.filter((account) => account.emails.includes(email.toLowerCase())),
  }));
}

/** What accounts and companies are and were called, by id. */
export interface Called {
  people: Map<number, Person>;
  /** The present and former names and registration numbers of each company. */
  companies: Map<number, CompanyNames>;
  /** Returns the companies in which a person works and has worked, as far as they were asked for. */
  companiesOf: (user: Account) => CompanyNames;
}

const namesIn = (former: readonly Detail[]): CompanyNames => ({
  names: textsOf(former, "company"),
  registrationNumbers: textsOf(former, "company-number"),
});

const joined = (one: CompanyNames, other: CompanyNames): CompanyNames => ({
  names: [...one.names, ...other.names],
  registrationNumbers: [...one.registrationNumbers, ...other.registrationNumbers],
});

/** Returns what these accounts and companies are and were called. */
export async function listCalled(
  db: DbOrTrx,
  users: readonly Account[],
  companyIds: readonly number[],
): Promise<Called> {
  const former = await listFormerDetails(
    db,
    users.map(({ id }) => id),
  );
  const formerOf = (id: number) => former.filter(({ userId }) => userId === id);
  const formerCompanies = await listFormerCompanyDetails(db, companyIds);
  const companies = new Map(
    (await listCompaniesById(db, companyIds)).map(({ id, name, companyRegistrationNumber }) => [
      id,
      joined(
        { names: [name], registrationNumbers: [companyRegistrationNumber ?? ""] },
        namesIn(formerCompanies.filter(({ companyId }) => companyId === id)),
      ),
    ]),
  );
  return {
    people: new Map(users.map((user) => [user.id, toPerson(user, formerOf(user.id))])),
    companies,
    companiesOf: ({ id, companyId }) => joined(companies.get(companyId) ?? namesIn([]), namesIn(formerOf(id))),
  };
}
