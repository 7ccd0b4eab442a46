import { recordAudit } from "~/domain/audit/audit.service.server";
import { normaliseVat, vatNumberProblem } from "~/domain/reference/vat.schema";
import { checkVatNumber } from "~/domain/reference/vat.service.server";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { getDb } from "~db/connection.server";
import { saveAddress } from "~db/repositories/addresses.server";
import { findCountry, type Country } from "~db/repositories/countries.server";
import { findUserById, updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { vatRequired } from "./accounts.policy";
import { type AddressForm, type Details } from "./accounts.schema";
import { type SessionUser } from "./session-user";

async function getCountry(id: number, field: string): Promise<Country> {
  const country = await findCountry(getDb(), id);
  if (!country) throw new PortalError(messages.collection, { code: "address.country", field });
  return country;
}

/**
 * Checks the VAT number where the country demands it: the pattern, then the service. Out: what to store.
 * `checked` is false when the service could not be asked, null when no check is due. Throws PortalError at `vatNumber`.
 */
async function checkVat(
  value: string,
  country: Country,
): Promise<{ vatNumber: string | null; checked: boolean | null }> {
  const problem = vatNumberProblem(value, country);
  if (problem) throw new PortalError(problem, { code: "vat.invalid", field: "vatNumber" });
  const vatNumber = normaliseVat(value) || null;
  if (!vatNumber || !vatRequired(country)) return { vatNumber, checked: null };
  const result = await checkVatNumber(vatNumber, country);
  if (result === "invalid") throw new PortalError(messages.vatInvalid, { code: "vat.invalid", field: "vatNumber" });
  return { vatNumber, checked: result === "valid" };
}

const toRow = (userId: number, address: AddressForm, company: string) => ({
  userId,
  company,
  street1: address.addressLine1,
  street2: address.addressLine2 || null,
  street3: address.addressLine3 || null,
  city: address.city,
  region: address.region || null,
  postcode: address.postalCode,
  countryId: address.country,
});

/**
 * Complete registration: company numbers, addresses and VAT in one transaction with its audit entry.
 * VAT follows the country that is invoiced. Throws PortalError at the field that is wrong.
 */
export async function completeRegistration(user: SessionUser, details: Details, now = new Date()): Promise<void> {
  await getCountry(details.companyAddress.country, "companyAddress.country");
  const invoicing = details.invoicingAddress ?? details.companyAddress;
  const invoicingCompany = details.invoicingAddress?.company ?? user.company;
  const prefix = details.invoicingAddress ? "invoicingAddress" : "companyAddress";
  const vat = await checkVat(details.vatNumber, await getCountry(invoicing.country, `${prefix}.country`));

  await inTransaction(async (trx) => {
    const stored = await findUserById(trx, user.id);
    if (!stored) throw new PortalError(messages.invalid, { code: "account.gone", status: 404 });
    const companyAddressId = await saveAddress(
      trx,
      stored.companyAddressId,
      toRow(user.id, details.companyAddress, user.company),
    );
    const invoicingAddressId = await saveAddress(
      trx,
      stored.invoicingAddressId,
      toRow(user.id, invoicing, invoicingCompany),
    );
    await updateUser(
      trx,
      user.id,
      {
        companyRegistrationNumber: details.companyRegistrationNumber,
        taxNumber: details.taxNumber || null,
        vatNumber: vat.vatNumber,
        vatNumberChecked: vat.checked,
        companyAddressId,
        invoicingAddressId,
      },
      now,
    );
    await recordAudit(
      trx,
      {
        actor: user.actor,
        event: "account.details-completed",
        message: "Completed the registration.",
        userId: user.id,
      },
      now,
    );
  });
}
