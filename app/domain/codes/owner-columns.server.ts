import { type Trx } from "~db/connection.server";
import { findAddress } from "~db/repositories/addresses.server";
import { listCodesOf, setRegisterColumns } from "~db/repositories/code-owners.server";
import { findUserById } from "~db/repositories/users.server";
import { codeSearchColumns } from "./search-columns";

/** The number of codes that are held in memory. */
const BATCH = 500;

/**
 * Updates the columns by which an account's codes are searched and sorted. Must be called when the company, the email address, the company
 * address or the codes of the account change. The caller's transaction must have locked the account. Whoever stores a code of the account
 * locks it, too, so that neither misses the change of the other. A code with a physical address of its own keeps the city and country of
 * that address.
 */
export async function refreshOwnersCodes(trx: Trx, userId: number): Promise<void> {
  const owner = await findUserById(trx, userId);
  if (!owner) return;
  const { company, email } = owner;
  const seat = await findAddress(trx, owner.companyAddressId);
  const companyPlace = { city: seat?.city ?? "", countryId: seat?.country ?? null };
  for (let after = 0, isLast = false; !isLast;) {
    const codes = await listCodesOf(trx, userId, { after, limit: BATCH });
    for (const code of codes) {
      const place = code.useCompanyAddress ? companyPlace : { city: code.sortCity, countryId: code.countryId };
      await setRegisterColumns(trx, code, codeSearchColumns(code, { company, email, ...place }));
    }
    isLast = codes.length < BATCH;
    after = codes.at(-1)?.id ?? 0;
  }
}
