import { addressPart } from "~/domain/accounts/address-form";
import { getProfile } from "~/domain/accounts/profile.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { addressText } from "~/lib/postal-address";
import { getDb } from "~db/connection.server";
import { type Address } from "~db/repositories/addresses.server";
import { findCountry } from "~db/repositories/countries.server";

async function lineOf(address: Address | null): Promise<string> {
  if (!address) return "";
  const country = (await findCountry(getDb(), address.country))?.printableName ?? "";
  const text = addressText({ ...addressPart(address), countryId: address.country, country });
  return address.company ? `${address.company}, ${text}` : text;
}

/** Returns the details of the company in which the user works, as terms with their texts. Every member may see them. */
export async function companyFacts({ id }: SessionUser): Promise<{ term: string; detail: string }[]> {
  const { company, companyAddress, invoicingAddress, ...numbers } = await getProfile(id);
  return [
    { term: "Name", detail: company },
    { term: "Company registration number", detail: numbers.companyRegistrationNumber ?? "" },
    { term: "Tax registration number", detail: numbers.taxNumber ?? "" },
    { term: "VAT number", detail: numbers.vatNumber ?? "" },
    { term: "Company address", detail: await lineOf(companyAddress) },
    { term: "Invoicing address", detail: await lineOf(invoicingAddress) },
  ];
}
