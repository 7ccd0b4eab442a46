import { type AddressForm } from "~/domain/accounts/accounts.schema";
import { addressPart } from "~/domain/accounts/address-form";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { saveAddress } from "~db/repositories/addresses.server";
import { type CodeRow, findCodeByName } from "~db/repositories/codes.server";
import { findCountry } from "~db/repositories/countries.server";
import { type CodeForm, DIRECT_PARENT_MESSAGE, OWN_PARENT_MESSAGE, PARENT_CIRCLE_MESSAGE } from "./code-details.schema";
import { type CodeParts } from "./code-parts.server";

/** Throws a PortalError for the address whose country does not exist. */
export async function checkCountries({ physicalAddress, mailingAddress }: CodeForm): Promise<void> {
  for (const [name, address] of Object.entries({ physicalAddress, mailingAddress }))
    if (address && !(await findCountry(getDb(), address.country)))
      throw new PortalError(messages.collection, { code: `${name}.country`, field: `${name}.country` });
}

type Own = Pick<CodeRow, "code" | "subcode"> | null;

/** Returns whether `own` is among the direct parents of a code, followed upwards. */
async function hasAmongParents(db: DbOrTrx, code: CodeRow, own: string): Promise<boolean> {
  const seen = new Set<string>();
  for (let next: CodeRow | null = code; next?.directParent && !seen.has(next.code);) {
    if (next.directParent === own) return true;
    seen.add(next.code);
    next = await findCodeByName(db, next.directParent, "");
  }
  return false;
}

/**
 * Returns the problem with a direct parent, or null. A direct parent may be empty. Otherwise it must be an existing Registered code that is
 * not for OFTP (COD-07), and neither the code itself nor one below it.
 *
 * @param own The code itself; null when it does not exist yet.
 */
export async function directParentProblem(db: DbOrTrx, code: string, own: Own): Promise<string | null> {
  if (code === "") return null;
  const entity = own?.subcode === "" ? own.code : null;
  if (code === entity) return OWN_PARENT_MESSAGE;
  const parent = await findCodeByName(db, code, "");
  if (parent?.status !== "Registered" || parent.codeType === "OFTP") return DIRECT_PARENT_MESSAGE;
  return entity !== null && (await hasAmongParents(db, parent, entity)) ? PARENT_CIRCLE_MESSAGE : null;
}

/** Throws a PortalError for the field `directParentId` when the code is not allowed as a direct parent. */
export async function checkDirectParent(db: DbOrTrx, code: string, own: Own = null): Promise<void> {
  const problem = await directParentProblem(db, code, own);
  if (problem) throw new PortalError(problem, { code: "codes.direct-parent", field: "directParentId" });
}

/**
 * Returns further problems of a form that is wrong anyway, by field. Only the register shows them.
 *
 * @param typed The direct parent as typed.
 */
export async function registerProblems(stored: CodeRow | null, typed: unknown): Promise<Record<string, string>> {
  const code = typeof typed === "string" ? typed.trim().toUpperCase() : "";
  if (code === (stored?.directParent ?? "")) return {};
  const problem = await directParentProblem(getDb(), code, stored);
  return problem ? { directParentId: problem } : {};
}

/** Returns a note that the direct parent is no longer Registered, or "" when it is or there is none. */
export async function parentNote(typed: unknown): Promise<string> {
  const code = typeof typed === "string" ? typed.trim().toUpperCase() : "";
  const parent = code === "" ? null : await findCodeByName(getDb(), code, "");
  if (!parent || parent.status === "Registered") return "";
  return parent.status === "Expired" ? `${code} has expired.` : `${code} is cancelled.`;
}

interface AddressIds {
  physicalAddressId: number | null;
  mailingAddressId: number | null;
}

/**
 * Stores a code's own addresses, over the former ones. Returns the columns to store with them. A former address that is no longer used is
 * not deleted.
 */
export async function storeAddresses(
  trx: Trx,
  { physicalAddress, mailingAddress, entityName }: CodeParts,
  ownerId: number,
  before: AddressIds = { physicalAddressId: null, mailingAddressId: null },
) {
  const store = (id: number | null, address: AddressForm | null) =>
    address && saveAddress(trx, id, { userId: ownerId, company: entityName, ...addressPart(address) });
  return {
    useCompanyAddress: physicalAddress === null,
    physicalAddressId: await store(before.physicalAddressId, physicalAddress),
    usePhysicalAddress: mailingAddress === null,
    mailingAddressId: await store(before.mailingAddressId, mailingAddress),
  };
}

/** Returns the columns for the texts, the status and the entity types of a code. */
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
