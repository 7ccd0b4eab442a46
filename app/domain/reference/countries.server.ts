import { vatRequired } from "~/domain/accounts/accounts.policy";
import { getDb } from "~db/connection.server";
import { listCountries } from "~db/repositories/countries.server";

/** The countries as a form's options; the value is the numeric id. */
export async function listCountryOptions(): Promise<{ value: string; label: string }[]> {
  const countries = await listCountries(getDb());
  return countries.map(({ id, printableName }) => ({ value: String(id), label: printableName }));
}

/** The form values of the countries whose companies must give a VAT number. */
export async function listVatCountries(): Promise<string[]> {
  const countries = await listCountries(getDb());
  return countries.filter(vatRequired).map(({ id }) => String(id));
}
