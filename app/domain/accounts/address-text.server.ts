import { quoted } from "~/domain/changed-meanwhile";
import { type DbOrTrx } from "~db/connection.server";
import { findCountry } from "~db/repositories/countries.server";
import { type AddressForm } from "./accounts.schema";

/** An address in one line, as it is told in a sentence; `none` where there is none. */
export async function addressText(
  db: DbOrTrx,
  address: (AddressForm & { company?: string }) | null,
  none: string,
): Promise<string> {
  if (!address) return none;
  const { country, company, ...lines } = address;
  const found = await findCountry(db, country);
  return quoted([company, ...Object.values(lines), found?.printableName].filter(Boolean).join(", "));
}
