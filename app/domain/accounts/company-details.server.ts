import { checkVatOf } from "~/domain/reference/vat-lookups.server";
import { normaliseVat, vatNumberProblem } from "~/domain/reference/vat.schema";
import { hasVatService } from "~/domain/reference/vat.service.server";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { getDb, type Trx } from "~db/connection.server";
import { deleteAddress, saveAddress } from "~db/repositories/addresses.server";
import { findCountry, type Country } from "~db/repositories/countries.server";
import { type CompanyColumns, type UserRow } from "~db/repositories/users.server";
import { type NewRow } from "~db/tables";
import { type CompanyPart } from "./account-details.server";
import { vatRequired } from "./accounts.policy";
import { addressPart } from "./address-form";

async function getCountry(id: number, field: string): Promise<Country> {
  const country = await findCountry(getDb(), id);
  if (!country) throw new PortalError(messages.collection, { code: "address.country", field });
  return country;
}

/**
 * Checks a VAT number where the country requires one: first its form, then with the VAT service. Returns null when no check is due, and
 * false when the service did not answer or the account has no look-ups left. Throws a PortalError for the field `vatNumber` when the number
 * is not valid. Must not be called inside a transaction.
 */
async function checkVat(userId: number, value: string, country: Country): Promise<boolean | null> {
  const problem = vatNumberProblem(value, country);
  if (problem) throw new PortalError(problem, { code: "vat.invalid", field: "vatNumber" });
  if (value === "" || !vatRequired(country)) return null;
  const result = await checkVatOf(userId, value, country);
  if (result === "invalid") throw new PortalError(messages.vatInvalid, { code: "vat.invalid", field: "vatNumber" });
  return result === "valid";
}

/** Shown when a VAT number was saved although its service could not be asked. */
export const VAT_UNCHECKED = "The VAT number could not be checked now: it was saved as it is.";

/** Returns whether to show `VAT_UNCHECKED`: the number was not checked although there is a service for it. */
export const isVatUnchecked = ({ vatNumber, vatNumberChecked }: CheckedDetails): boolean =>
  vatNumberChecked === false && hasVatService(vatNumber);

/** Company details whose countries exist and whose VAT number the service has not refused. */
export interface CheckedDetails extends CompanyPart {
  vatNumberChecked: boolean | null;
}

/**
 * Checks the countries of an account's addresses, then the VAT number for the invoiced country. Must not be called inside a transaction,
 * because it asks the VAT service. Throws a PortalError for the field that is not valid.
 *
 * @param usesCompanyAddress Whether the form has one country field for both addresses.
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

/** Returns the text of the audit entry when the outcome of the VAT check differs from the stored one, or null when it is the same. */
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

/** Stores the addresses of an account in the caller's transaction. Returns the columns of the account that must be stored with them. */
export async function storeDetails(
  trx: Trx,
  stored: UserRow,
  { companyAddress, invoicingAddress, ...checked }: CheckedDetails,
  company: string,
): Promise<Partial<CompanyColumns>> {
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
