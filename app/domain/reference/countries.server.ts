import { vatRequired } from "~/domain/accounts/accounts.policy";
import { getConfig } from "~/lib/config.server";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type Country, findCountry, listCountries } from "~db/repositories/countries.server";
import { normaliseVat, vatPrefixes } from "./vat.schema";

/** All countries by name. */
export const listAllCountries = (): Promise<Country[]> => listCountries(getDb());

/** Codes that ISO 3166-1 §8.1.3 leaves to its users, such as XK for Kosovo: no certificate's reader has to know them. */
const USER_ASSIGNED = /^(AA|Q[M-Z]|X[A-Z]|ZZ)$/;

/** Returns the countries that a certificate may name: those of ISO 3166-1, and the others that the configuration lists. */
export async function listSubjectCountries(): Promise<Country[]> {
  const { otherCountries } = getConfig().certificates;
  const countries = await listCountries(getDb());
  return countries.filter(({ iso }) => !USER_ASSIGNED.test(iso) || otherCountries.includes(iso));
}

/** The country with this numeric id; a 404 PortalError when there is none. */
export async function getCountry(id: number): Promise<Country> {
  const country = await findCountry(getDb(), id);
  if (!country) throw notFound();
  return country;
}

/** The country whose VAT numbers begin like this one, or null. Where neighbours share a prefix, the one that it is named after. */
export async function findCountryOfVat(vat: string): Promise<Country | null> {
  const number = normaliseVat(vat);
  const found = (await listAllCountries()).filter(({ iso }) =>
    vatPrefixes(iso).some((prefix) => number.startsWith(prefix)),
  );
  return found.find(({ iso }) => number.startsWith(iso)) ?? found[0] ?? null;
}

/** The countries as a form's options; the value is the numeric id. */
export async function listCountryOptions(): Promise<{ value: string; label: string }[]> {
  const countries = await listCountries(getDb());
  return countries.map(({ id, printableName }) => ({ value: String(id), label: printableName }));
}

/** Returns the name of the country that a form's field says, such as `physicalAddress.country`; null for other fields and for no country. */
export const countryName = (options: readonly { value: string; label: string }[], field: string, value: string) =>
  field.endsWith(".country") ? (options.find((option) => option.value === value)?.label ?? null) : null;

/** The form values of the countries whose companies must give a VAT number. */
export async function listVatCountries(): Promise<string[]> {
  const countries = await listCountries(getDb());
  return countries.filter(vatRequired).map(({ id }) => String(id));
}
