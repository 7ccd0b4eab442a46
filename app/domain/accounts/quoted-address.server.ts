import { quoted } from "~/domain/changed-meanwhile";
import { addressText } from "~/lib/postal-address";
import { type DbOrTrx } from "~db/connection.server";
import { findCountry } from "~db/repositories/countries.server";
import { type AddressForm } from "./accounts.schema";

/**
 * Returns an address in one line, quoted for use in a sentence.
 *
 * @param none The text to return when there is no address.
 */
export async function quotedAddress(
  db: DbOrTrx,
  address: (AddressForm & { company?: string }) | null,
  none: string,
): Promise<string> {
  if (!address) return none;
  const { country: countryId, company, ...lines } = address;
  const country = (await findCountry(db, countryId))?.printableName ?? "";
  return quoted([company, addressText({ ...lines, countryId, country })].filter(Boolean).join(", "));
}
