import { createHash } from "node:crypto";
import { addressText } from "~/lib/postal-address";
import { type DbOrTrx } from "~db/connection.server";
import { listCompaniesOfMany, listJoinedCompanies, listMembershipsIn } from "~db/repositories/account-merge.server";
import { listAddresses, type Address } from "~db/repositories/addresses.server";
import { type Country, listCountries } from "~db/repositories/countries.server";
import { type UserRow } from "~db/repositories/users.server";
import { addressPart } from "../address-form";
import {
  type ComparedAccount,
  type ComparedDetail,
  compareDetails,
  companyOutcomes,
  type CompanyOutcome,
  type DetailTexts,
} from "./consolidation.policy";
import { type Invoicing, invoicingChoices, invoicingText } from "./invoicing.policy";

/** Returns an address as text for the comparison, with its country. */
function readAddress(address: Address, countries: ReadonlyMap<number, Country>) {
  const country = countries.get(address.country);
  if (!country) throw new Error(`The country ${address.country} of an address is not stored.`);
  const line = addressText({ ...addressPart(address), countryId: country.id, country: country.name });
  return { id: address.id, text: [address.company, line].filter(Boolean).join(", "), country };
}
type ReadAddress = ReturnType<typeof readAddress>;

async function readAddresses(db: DbOrTrx, rows: readonly UserRow[]): Promise<ReadonlyMap<number | null, ReadAddress>> {
  const ids = rows.flatMap((row) => [row.companyAddressId, row.invoicingAddressId, row.mailingAddressId]);
  const stored = await listAddresses(
    db,
    ids.filter((id) => id !== null),
  );
  const countries = new Map((await listCountries(db)).map((country) => [country.id, country]));
  return new Map(stored.map((address) => [address.id, readAddress(address, countries)]));
}

const invoicingOf = (user: UserRow, address: ReadAddress | undefined): Invoicing => ({
  accountId: user.id,
  address: address ?? null,
  vatNumber: user.vatNumber || null,
  vatNumberChecked: user.vatNumberChecked,
});

/** Returns the details of the person. Those of a company are "". */
const personTexts = (user: UserRow): DetailTexts => ({
  firstName: user.firstName,
  lastName: user.lastName,
  company: "",
  position: user.position,
  telephoneNumber: user.telephoneNumber,
  companyRegistrationNumber: "",
  taxNumber: "",
  companyAddress: "",
  invoicing: "",
  mailingAddress: "",
});

/** Returns the details of an account with those of the company in which its person works. */
const textsOf = (user: UserRow, addressOf: (id: number | null) => string, invoicing?: Invoicing): DetailTexts => ({
  ...personTexts(user),
  company: user.company,
  companyRegistrationNumber: user.companyRegistrationNumber ?? "",
  taxNumber: user.taxNumber ?? "",
  companyAddress: addressOf(user.companyAddressId),
  invoicing: invoicing ? invoicingText(invoicing) : "",
  mailingAddress: addressOf(user.mailingAddressId),
});

/** The comparison of the accounts that share an email. */
export interface Comparison {
  details: ComparedDetail[];
  /** The choices of invoicing address and VAT number by account id. Contains only accounts whose pair can be chosen. */
  invoicing: ReadonlyMap<number, Invoicing>;
  /** Whether the company of another account becomes part of that of the remaining one. Only then do the details of the company change. */
  joinsCompanies: boolean;
  /** What the merge does to the companies of the accounts. */
  companies: readonly CompanyOutcome[];
  version: string;
}

/** Returns the version of a comparison, a hash. It changes when an account or a company is added, removed or changed. */
const versionOf = (
  accounts: readonly ComparedAccount[],
  rows: readonly UserRow[],
  companies: Comparison["companies"],
): string => {
  const rights = rows.map(({ id, isAdmin, isApplicant }) => [id, isAdmin, isApplicant]);
  return createHash("sha256")
    .update(JSON.stringify([accounts, rights, companies]))
    .digest("base64url");
};

/**
 * Returns what a merge of these accounts, the remaining one first, does to their companies. Those of the same name are told apart by the
 * user names of their members among the accounts.
 */
export async function outcomesFor(db: DbOrTrx, accounts: readonly UserRow[], joined: readonly number[]) {
  const ids = accounts.map(({ id }) => id);
  const companies = await listCompaniesOfMany(db, ids);
  const memberships = await listMembershipsIn(
    db,
    companies.map(({ id }) => id),
  );
  const compared = companies.map(({ id, name }) => {
    const members = memberships.filter(({ companyId }) => companyId === id);
    const own = members.filter(({ userId }) => ids.includes(userId));
    const roles = new Map(own.map(({ userId, role }) => [userId, role]));
    const hasNamesake = companies.some((other) => other.id !== id && other.name === name);
    const usernames = accounts.filter((account) => roles.has(account.id)).map(({ username }) => username);
    const label = hasNamesake ? `${name} (${usernames.join(", ")})` : name;
    return { id, name: label, hasColleagues: own.length < members.length, roles };
  });
  const [survivor] = accounts;
  return survivor ? companyOutcomes(compared, { survivorId: survivor.id, worksIn: survivor.companyId, joined }) : [];
}

/**
 * Compares the details of open accounts. Those of the account that remains come first. The details of a company are compared only when the
 * merge makes it part of the company of the account that remains (`listJoinedCompanies`).
 *
 * @param survivorId The id of the account that remains.
 */
export async function compareAccounts(db: DbOrTrx, rows: readonly UserRow[], survivorId: number): Promise<Comparison> {
  const addresses = await readAddresses(db, rows);
  const ordered = [...rows].sort((one, other) => Number(other.id === survivorId) - Number(one.id === survivorId));
  const ids = ordered.map(({ id }) => id);
  const joined = await listJoinedCompanies(db, ids.slice(1), survivorId);
  const compared = ordered.filter(({ id, companyId }) => id === survivorId || joined.includes(companyId));
  const pairs = compared.map((row) => invoicingOf(row, addresses.get(row.invoicingAddressId)));
  const invoicing = new Map(invoicingChoices(pairs).map((pair) => [pair.accountId, pair]));
  const accounts = ordered.map((row) => ({
    id: row.id,
    texts: compared.includes(row)
      ? textsOf(row, (id) => addresses.get(id)?.text ?? "", invoicing.get(row.id))
      : personTexts(row),
  }));
  const companies = await outcomesFor(db, ordered, joined);
  return {
    details: compareDetails(accounts),
    invoicing,
    joinsCompanies: compared.length > 1,
    companies,
    version: versionOf(accounts, ordered, companies),
  };
}
