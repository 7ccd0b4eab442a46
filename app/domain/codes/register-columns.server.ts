import { notFound } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { findAddress } from "~db/repositories/addresses.server";
import { holdUser } from "~db/repositories/users.server";
import { type NewRow } from "~db/tables";
import { codeSearchColumns } from "./search-columns";

interface Code extends Pick<NewRow<"codes">, "codeType" | "code" | "subcode" | "entityName"> {
  userId: number;
  /** Whether the address of the owner's company is the physical address. */
  useCompanyAddress: boolean;
  physicalAddressId: number | null;
}

/**
 * Returns the search and sort columns of a code that is about to be stored. Some of them come from the owner's account and the physical
 * address. Locks the account until the transaction ends. Throws a PortalError (404) when there is no such account.
 */
export async function registerColumns(trx: Trx, code: Code): Promise<ReturnType<typeof codeSearchColumns>> {
  const owner = await holdUser(trx, code.userId);
  if (!owner) throw notFound();
  const { company, email, companyAddressId } = owner;
  const address = await findAddress(trx, code.useCompanyAddress ? companyAddressId : code.physicalAddressId);
  return codeSearchColumns(code, { company, email, city: address?.city ?? "", countryId: address?.country ?? null });
}
