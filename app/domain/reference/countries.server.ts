import { vatRequired } from "~/domain/accounts/accounts.policy";
import { getConfig } from "~/lib/config.server";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type Country, findCountry, listCountries } from "~db/repositories/countries.server";

/** Returns all countries, sorted by name. */
export const listAllCountries = (): Promise<readonly Country[]> => listCountries(getDb());

/** Codes that ISO 3166-1 §8.1.3 leaves to its users, such as XK for Kosovo. Readers of a certificate need not know them. */
const USER_ASSIGNED = /^(AA|Q[M-Z]|X[A-Z]|ZZ)$/;

/** Returns the countries that a certificate may name: those of ISO 3166-1, and others that the configuration allows. */
export async function listSubjectCountries(): Promise<Country[]> {
  const { otherCountries } = getConfig().certificates;
  const countries = await listCountries(getDb());
  return countries.filter(({ iso }) => !USER_ASSIGNED.test(iso) || otherCountries.includes(iso));
}

/** Returns the country with this numeric id. Throws a PortalError (404) when there is none. */
export async function getCountry(id: number): Promise<Country> {
  const country = await findCountry(getDb(), id);
  if (!country) throw notFound();
  return country;
}

/** Returns the countries as options of a form. The value is the numeric id. */
export async function listCountryOptions(): Promise<{ value: string; label: string }[]> {
  const countries = await listCountries(getDb());
  return countries.map(({ id, printableName }) => ({ value: String(id), label: printableName }));
}

/** Returns the name of the country in a form field such as `physicalAddress.country`, or null for other fields and unknown countries. */
export const countryName = (options: readonly { value: string; label: string }[], field: string, value: string) =>
  field.endsWith(".country") ? (options.find((option) => option.value === value)?.label ?? null) : null;

/** Returns the form values of the countries whose companies must give a VAT number. */
export async function listVatCountries(): Promise<string[]> {
  const countries = await listCountries(getDb());
  return countries.filter(vatRequired).map(({ id }) => String(id));
}
