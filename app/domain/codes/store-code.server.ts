import { type AddressForm } from "~/domain/accounts/accounts.schema";
import { toAddressRow } from "~/domain/accounts/address-row";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { saveAddress } from "~db/repositories/addresses.server";
import { findCodeByName } from "~db/repositories/codes.server";
import { findCountry } from "~db/repositories/countries.server";
import { DIRECT_PARENT_MESSAGE, type CodeForm } from "./code-details.schema";
import { type CodeParts } from "./code-parts.server";

/** Throws a PortalError at the address whose country is not in the list. */
export async function checkCountries({ physicalAddress, mailingAddress }: CodeForm): Promise<void> {
  for (const [name, address] of Object.entries({ physicalAddress, mailingAddress }))
    if (address && !(await findCountry(getDb(), address.country)))
      throw new PortalError(messages.collection, { code: "address.country", field: `${name}.country` });
}

/** The direct parent is an existing, registered code that is not one for OFTP (decisions §5), or none. Throws a PortalError at its field. */
export async function checkDirectParent(db: DbOrTrx, code: string): Promise<void> {
  const parent = code === "" ? null : await findCodeByName(db, code, "");
  const isGood = code === "" || (parent?.status === "Registered" && parent.codeType !== "OFTP");
  if (!isGood) throw new PortalError(DIRECT_PARENT_MESSAGE, { code: "codes.direct-parent", field: "directParentId" });
}

interface AddressIds {
  physicalAddressId: number | null;
  mailingAddressId: number | null;
}

/** Writes a code's own addresses over those that it had. Out: the columns to store with them; one that it needs no more is still there. */
export async function storeAddresses(
  trx: Trx,
  { physicalAddress, mailingAddress, entityName }: CodeParts,
  ownerId: number,
  before: AddressIds = { physicalAddressId: null, mailingAddressId: null },
) {
  const store = (id: number | null, address: AddressForm | null) =>
    address && saveAddress(trx, id, toAddressRow(ownerId, address, entityName));
  return {
    useCompanyAddress: physicalAddress === null,
    physicalAddressId: await store(before.physicalAddressId, physicalAddress),
    usePhysicalAddress: mailingAddress === null,
    mailingAddressId: await store(before.mailingAddressId, mailingAddress),
  };
}

/** The columns of the details that are texts, and the entity types. */
export const detailColumns = (parts: CodeParts) => ({
  status: parts.status,
  entityName: parts.entityName,
  shortName: parts.shortName || null,
  tradeName: parts.tradeName || null,
  vatNumber: parts.vatNumber || null,
  directParent: parts.directParentId || null,
  domesticUltimateParent: parts.domesticParentId || null,
  globalUltimateParent: parts.globalParentId || null,
  dunsNumber: parts.dunsNumber || null,
  entityType: parts.entityType,
  entityTypeOther: parts.otherText || null,
});
