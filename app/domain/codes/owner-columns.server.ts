import { type Trx } from "~db/connection.server";
import { findAddress } from "~db/repositories/addresses.server";
import { listCodesOf, setRegisterColumns } from "~db/repositories/code-owners.server";
import { findUserById } from "~db/repositories/users.server";
import { codeSearchColumns } from "./search-columns";

/** Codes that are held in memory. */
const BATCH = 500;

/**
 * Sets anew what an account's codes are found and ordered by; to be called when its company, its e-mail, its company address or its codes
 * change, by a transaction that holds the account: whoever stores a code of the account holds it, too, so that neither misses the other. A
 * code with a physical address of its own keeps that address's city and country.
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
