import { addressPart } from "~/domain/accounts/address-form";
import { getProfile } from "~/domain/accounts/profile.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { addressLines, addressText } from "~/lib/postal-address";
import { getDb } from "~db/connection.server";
import { type Address } from "~db/repositories/addresses.server";
import { findCountry } from "~db/repositories/countries.server";

/** Returns an address with the name of its country. */
async function withCountry(address: Address) {
  const country = (await findCountry(getDb(), address.country))?.printableName ?? "";
  return { ...addressPart(address), countryId: address.country, country };
}

async function lineOf(address: Address | null): Promise<string> {
  if (!address) return "";
  const text = addressText(await withCountry(address));
  return address.company ? `${address.company}, ${text}` : text;
}

/** Returns the lines of an address, the company first if it names one. A missing address has none. */
export async function linesOf(address: Address | null): Promise<string[]> {
  if (!address) return [];
  const lines = addressLines(await withCountry(address));
  return address.company ? [address.company, ...lines] : lines;
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
