import { notFound } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { findAddress } from "~db/repositories/addresses.server";
import { holdOwner } from "~db/repositories/companies.server";
import { type NewRow } from "~db/tables";
import { codeSearchColumns } from "./search-columns";

interface Code extends Pick<NewRow<"codes">, "codeType" | "code" | "subcode" | "entityName"> {
  userId: number;
  companyId: number;
  /** Whether the address of the company is the physical address. */
  useCompanyAddress: boolean;
  physicalAddressId: number | null;
}

/**
 * Returns the search and sort columns of a code that is about to be stored. Some of them come from the account that registers it, its
 * company and the physical address. Locks the account and the company until the transaction ends. Throws a PortalError (404) when one of
 * them is missing.
 */
export async function registerColumns(trx: Trx, code: Code): Promise<ReturnType<typeof codeSearchColumns>> {
  const owner = await holdOwner(trx, code);
  if (!owner) throw notFound();
  const { company, email, companyAddressId } = owner;
  const address = await findAddress(trx, code.useCompanyAddress ? companyAddressId : code.physicalAddressId);
  return codeSearchColumns(code, { company, email, city: address?.city ?? "", countryId: address?.country ?? null });
}
