import { createHash } from "node:crypto";
import { addressText } from "~/lib/postal-address";
import { type DbOrTrx } from "~db/connection.server";
import { listAddresses, type Address } from "~db/repositories/addresses.server";
import { listCountries } from "~db/repositories/countries.server";
import { type UserRow } from "~db/repositories/users.server";
import { addressOf } from "../account-details.server";
import { type ComparedAccount, type ComparedDetail, compareDetails, type DetailTexts } from "./consolidation.policy";

const oneLine = (address: Address, countries: ReadonlyMap<number, string>): string =>
  [
    address.company,
    addressText({
      ...addressOf(address),
      countryId: address.countryId,
      country: countries.get(address.countryId) ?? "",
    }),
  ]
    .filter(Boolean)
    .join(", ");

const textsOf = (user: UserRow, addressOf: (id: number | null) => string): DetailTexts => ({
  firstName: user.firstName,
  lastName: user.lastName,
  company: user.company,
  position: user.position,
  telephoneNumber: user.telephoneNumber,
  companyRegistrationNumber: user.companyRegistrationNumber ?? "",
  taxNumber: user.taxNumber ?? "",
  vatNumber: user.vatNumber ?? "",
  companyAddress: addressOf(user.companyAddressId),
  invoicingAddress: addressOf(user.invoicingAddressId),
  mailingAddress: addressOf(user.mailingAddressId),
});

/** Names what was compared: when an account came, went or changed since, it is another one. */
const versionOf = (accounts: readonly ComparedAccount[], rows: readonly UserRow[]): string => {
  const rights = rows.map(({ id, isAdmin, isApplicant }) => [id, isAdmin, isApplicant]);
  return createHash("sha256")
    .update(JSON.stringify([accounts, rights]))
    .digest("base64url");
};

/** Accounts that share an e-mail, side by side. */
export interface Comparison {
  details: ComparedDetail[];
  /** By account. */
  texts: ReadonlyMap<number, DetailTexts>;
  version: string;
}

/** Compares open accounts. In: the id of the surviving one among them. */
export async function compareAccounts(db: DbOrTrx, rows: readonly UserRow[], survivorId: number): Promise<Comparison> {
  const ids = rows.flatMap((row) => [row.companyAddressId, row.invoicingAddressId, row.mailingAddressId]);
  const stored = await listAddresses(
    db,
    ids.filter((id) => id !== null),
  );
  const countries = new Map((await listCountries(db)).map(({ id, name }) => [id, name]));
  const addresses = new Map(stored.map((address) => [address.id, oneLine(address, countries)]));
  const ordered = [...rows].sort((one, other) => Number(other.id === survivorId) - Number(one.id === survivorId));
  const accounts = ordered.map((row) => ({
    id: row.id,
    texts: textsOf(row, (id) => (id === null ? "" : (addresses.get(id) ?? ""))),
  }));
  return {
    details: compareDetails(accounts),
    texts: new Map(accounts.map(({ id, texts }) => [id, texts])),
    version: versionOf(accounts, ordered),
  };
}
