import { getDb } from "~db/connection.server";
import { listCountries } from "~db/repositories/countries.server";

/** The countries as a form's options; the value is the numeric id. */
export async function listCountryOptions(): Promise<{ value: string; label: string }[]> {
  const countries = await listCountries(getDb());
  return countries.map(({ id, printableName }) => ({ value: String(id), label: printableName }));
}
