import { checkVatOf } from "~/domain/reference/vat-lookups.server";
import { normaliseVat, vatNumberProblem } from "~/domain/reference/vat.schema";
import { hasVatService } from "~/domain/reference/vat.service.server";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { getDb, type Trx } from "~db/connection.server";
import { deleteAddress, saveAddress } from "~db/repositories/addresses.server";
import { findCountry, type Country } from "~db/repositories/countries.server";
import { type UserRow } from "~db/repositories/users.server";
import { type NewRow } from "~db/tables";
import { addressPart, type CompanyPart } from "./account-details.server";
import { vatRequired } from "./accounts.policy";

async function getCountry(id: number, field: string): Promise<Country> {
  const country = await findCountry(getDb(), id);
  if (!country) throw new PortalError(messages.collection, { code: "address.country", field });
  return country;
}

/**
 * Checks an account's VAT number where the country demands it: the pattern, then the service. Out: null when no check is due, false when
 * the service could not say or may not be asked any more now. Throws a PortalError at `vatNumber`. Not to be called inside a transaction.
 */
async function checkVat(userId: number, value: string, country: Country): Promise<boolean | null> {
  const problem = vatNumberProblem(value, country);
  if (problem) throw new PortalError(problem, { code: "vat.invalid", field: "vatNumber" });
  if (value === "" || !vatRequired(country)) return null;
  const result = await checkVatOf(userId, value, country);
  if (result === "invalid") throw new PortalError(messages.vatInvalid, { code: "vat.invalid", field: "vatNumber" });
  return result === "valid";
}

/** Told when a number was saved that its service could not be asked about. */
export const VAT_UNCHECKED = "The VAT number could not be checked now: it was saved as it is.";

/** Whether that is to be told. */
export const isVatUnchecked = ({ vatNumber, vatNumberChecked }: CheckedDetails): boolean =>
  vatNumberChecked === false && hasVatService(vatNumber);

/** Company details whose countries exist and whose VAT number the service did not refuse. */
export interface CheckedDetails extends CompanyPart {
  vatNumberChecked: boolean | null;
}

/**
 * Checks an account's countries, then its VAT number for the country that is invoiced; not inside a transaction, because it asks the
 * service.
 * `usesCompanyAddress`: the form had one country for both. Throws a PortalError at the field that is wrong.
 */
export async function checkDetails(
  userId: number,
  part: CompanyPart,
  usesCompanyAddress: boolean,
): Promise<CheckedDetails> {
  const { companyAddress, invoicingAddress } = part;
  if (companyAddress) await getCountry(companyAddress.country, "companyAddress.country");
  if (!invoicingAddress) return { ...part, vatNumberChecked: null };
  const field = `${usesCompanyAddress ? "companyAddress" : "invoicingAddress"}.country`;
  const country = await getCountry(invoicingAddress.country, field);
  const vatNumber = normaliseVat(part.vatNumber);
  return { ...part, vatNumber, vatNumberChecked: await checkVat(userId, vatNumber, country) };
}

/** What the trail tells of a check that came out otherwise than the stored one did; null when it is the same. */
export function newVatOutcome(stored: UserRow, { vatNumber, vatNumberChecked }: CheckedDetails): string | null {
  const before = stored.vatNumberChecked;
  if (before === vatNumberChecked) return null;
  if (vatNumberChecked === null) return "The VAT number is not checked any more: no check is due.";
  return vatNumberChecked
    ? `The VAT number ${vatNumber} was checked and is valid.`
    : `The VAT number ${vatNumber} was saved without a check: no service answered.`;
}

async function storeAddress(trx: Trx, id: number | null, address: NewRow<"addresses"> | null): Promise<number | null> {
  if (address) return saveAddress(trx, id, address);
  if (id !== null) await deleteAddress(trx, id);
  return null;
}

/** Writes the addresses of an account, in the caller's transaction. Out: the account's columns to store with them. */
export async function storeDetails(
  trx: Trx,
  stored: UserRow,
  { companyAddress, invoicingAddress, ...checked }: CheckedDetails,
  company: string,
): Promise<Partial<NewRow<"users">>> {
  const companyRow = companyAddress && { userId: stored.id, company, ...addressPart(companyAddress) };
  const invoicingRow = invoicingAddress && {
    userId: stored.id,
    company: invoicingAddress.company,
    ...addressPart(invoicingAddress),
  };
  const isShared = stored.invoicingAddressId === stored.companyAddressId;
  return {
    companyRegistrationNumber: checked.companyRegistrationNumber || null,
    taxNumber: checked.taxNumber || null,
    vatNumber: checked.vatNumber || null,
    vatNumberChecked: checked.vatNumberChecked,
    companyAddressId: await storeAddress(trx, stored.companyAddressId, companyRow),
    invoicingAddressId: await storeAddress(trx, isShared ? null : stored.invoicingAddressId, invoicingRow),
  };
}
