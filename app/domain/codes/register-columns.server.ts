import { notFound } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { findAddress } from "~db/repositories/addresses.server";
import { holdUser } from "~db/repositories/users.server";
import { type NewRow } from "~db/tables";
import { codeSearchColumns } from "./search-columns";

interface Code extends Pick<NewRow<"codes">, "codeType" | "code" | "subcode" | "entityName"> {
  userId: number;
  /** Whether the physical address is that of the owner's company. */
  useCompanyAddress: boolean;
  physicalAddressId: number | null;
}

/**
 * Returns the columns by which a code that is about to be stored is searched and sorted. They come from the owner's account and from the
 * physical address. Locks the account until the transaction ends.
 */
export async function registerColumns(trx: Trx, code: Code): Promise<ReturnType<typeof codeSearchColumns>> {
  const owner = await holdUser(trx, code.userId);
  if (!owner) throw notFound();
  const { company, email, companyAddressId } = owner;
  const address = await findAddress(trx, code.useCompanyAddress ? companyAddressId : code.physicalAddressId);
  return codeSearchColumns(code, { company, email, city: address?.city ?? "", countryId: address?.country ?? null });
}
