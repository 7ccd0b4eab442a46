import { addressPart } from "~/domain/accounts/account-details.server";
import { type AddressForm } from "~/domain/accounts/accounts.schema";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { saveAddress } from "~db/repositories/addresses.server";
import { type CodeRow, findCodeByName } from "~db/repositories/codes.server";
import { findCountry } from "~db/repositories/countries.server";
import { type CodeForm, DIRECT_PARENT_MESSAGE, OWN_PARENT_MESSAGE, PARENT_CIRCLE_MESSAGE } from "./code-details.schema";
import { type CodeParts } from "./code-parts.server";

/** Throws a PortalError at the address whose country is not in the list. */
export async function checkCountries({ physicalAddress, mailingAddress }: CodeForm): Promise<void> {
  for (const [name, address] of Object.entries({ physicalAddress, mailingAddress }))
    if (address && !(await findCountry(getDb(), address.country)))
      throw new PortalError(messages.collection, { code: `${name}.country`, field: `${name}.country` });
}

type Own = Pick<CodeRow, "code" | "subcode"> | null;

/** Whether the direct parents of a code, upwards, come to `own`. */
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
 * What is wrong with a direct parent, or null: it is none, or an existing, registered code that is not one for OFTP (COD-07) and
 * neither the code itself nor one below it. `own`: null for a code that is not there yet.
 */
export async function directParentProblem(db: DbOrTrx, code: string, own: Own): Promise<string | null> {
  if (code === "") return null;
  const entity = own?.subcode === "" ? own.code : null;
  if (code === entity) return OWN_PARENT_MESSAGE;
  const parent = await findCodeByName(db, code, "");
  if (parent?.status !== "Registered" || parent.codeType === "OFTP") return DIRECT_PARENT_MESSAGE;
  return entity !== null && (await hasAmongParents(db, parent, entity)) ? PARENT_CIRCLE_MESSAGE : null;
}

/** Throws a PortalError at the field of a direct parent that is none. */
export async function checkDirectParent(db: DbOrTrx, code: string, own: Own = null): Promise<void> {
  const problem = await directParentProblem(db, code, own);
  if (problem) throw new PortalError(problem, { code: "codes.direct-parent", field: "directParentId" });
}

/** What only the register tells about a form that is wrong anyhow, by field. In: the direct parent as it was typed. */
export async function registerProblems(stored: CodeRow | null, typed: unknown): Promise<Record<string, string>> {
  const code = typeof typed === "string" ? typed.trim().toUpperCase() : "";
  if (code === (stored?.directParent ?? "")) return {};
  const problem = await directParentProblem(getDb(), code, stored);
  return problem ? { directParentId: problem } : {};
}

/** That a direct parent is not Registered any more, in words; "" while it is, and where there is none. */
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

/** Writes a code's own addresses over those that it had. Out: the columns to store with them; one that it needs no more is still there. */
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
