import { type Trx } from "~db/connection.server";
import { listCodesOf, setRegisterColumns } from "~db/repositories/code-owners.server";
import { findCompanyId } from "~db/repositories/companies.server";
import { codeSearchColumns } from "./search-columns";

/** The number of codes that are held in memory. */
const BATCH = 500;

/**
 * Updates the columns by which the codes of an account and its company are searched and sorted. Must be called when the name or address of
 * the company, the email address or the codes of the account change. The caller's transaction must have locked the account. Whoever stores
 * a code of the account locks it, too, so that neither misses the change of the other. A code with a physical address of its own keeps the
 * city and country of that address.
 */
export async function refreshOwnersCodes(trx: Trx, userId: number): Promise<void> {
  const companyId = await findCompanyId(trx, userId);
  for (let after = 0, isLast = false; !isLast;) {
    const codes = await listCodesOf(trx, { userId, companyId }, { after, limit: BATCH });
    for (const { seatCity, seatCountryId, company, email, ...code } of codes) {
      const place = code.useCompanyAddress
        ? { city: seatCity ?? "", countryId: seatCountryId }
        : { city: code.sortCity, countryId: code.countryId };
      await setRegisterColumns(trx, code, codeSearchColumns(code, { company, email, ...place }));
    }
    isLast = codes.length < BATCH;
    after = codes.at(-1)?.id ?? 0;
  }
}
