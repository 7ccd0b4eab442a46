import { createHash } from "node:crypto";
import { addressText } from "~/lib/postal-address";
import { type DbOrTrx } from "~db/connection.server";
import { listAddresses, type Address } from "~db/repositories/addresses.server";
import { type Country, listCountries } from "~db/repositories/countries.server";
import { type UserRow } from "~db/repositories/users.server";
import { addressPart } from "../address-form";
import { type ComparedAccount, type ComparedDetail, compareDetails, type DetailTexts } from "./consolidation.policy";
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

const textsOf = (user: UserRow, addressOf: (id: number | null) => string, invoicing?: Invoicing): DetailTexts => ({
  firstName: user.firstName,
  lastName: user.lastName,
  company: user.company,
  position: user.position,
  telephoneNumber: user.telephoneNumber,
  companyRegistrationNumber: user.companyRegistrationNumber ?? "",
  taxNumber: user.taxNumber ?? "",
  companyAddress: addressOf(user.companyAddressId),
  invoicing: invoicing ? invoicingText(invoicing) : "",
  mailingAddress: addressOf(user.mailingAddressId),
});

/** Returns the version of a comparison, a hash. It changes when an account is added, removed or changed. */
const versionOf = (accounts: readonly ComparedAccount[], rows: readonly UserRow[]): string => {
  const rights = rows.map(({ id, isAdmin, isApplicant }) => [id, isAdmin, isApplicant]);
  return createHash("sha256")
    .update(JSON.stringify([accounts, rights]))
    .digest("base64url");
};

/** The comparison of the accounts that share an email. */
export interface Comparison {
  details: ComparedDetail[];
  /** The choices of invoicing address and VAT number by account id. Contains only accounts whose pair can be chosen. */
  invoicing: ReadonlyMap<number, Invoicing>;
  version: string;
}

/**
 * Compares the details of open accounts. Those of the account that remains come first.
 *
 * @param survivorId The id of the account that remains.
 */
export async function compareAccounts(db: DbOrTrx, rows: readonly UserRow[], survivorId: number): Promise<Comparison> {
  const addresses = await readAddresses(db, rows);
  const ordered = [...rows].sort((one, other) => Number(other.id === survivorId) - Number(one.id === survivorId));
  const pairs = ordered.map((row) => invoicingOf(row, addresses.get(row.invoicingAddressId)));
  const invoicing = new Map(invoicingChoices(pairs).map((pair) => [pair.accountId, pair]));
  const accounts = ordered.map((row) => ({
    id: row.id,
    texts: textsOf(row, (id) => addresses.get(id)?.text ?? "", invoicing.get(row.id)),
  }));
  return { details: compareDetails(accounts), invoicing, version: versionOf(accounts, ordered) };
}
