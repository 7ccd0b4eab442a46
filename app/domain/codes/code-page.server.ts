import { fieldsOf } from "~/domain/accounts/address-form";
import { may } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { namesPeople, personName, withClients } from "~/domain/companies/people.server";
import { findShownCompany } from "~/domain/companies/staff/companies-list.service.server";
import { withOpened } from "~/domain/merge-form.server";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { findCode, listExpiredWith, listRegisteredSubcodes } from "~db/repositories/codes.server";
import { findUserFor } from "~db/repositories/users.server";
import { certificatesOfCode } from "./certificates/entity-page.service.server";
import { listUsableCarriers } from "./certificates/published.server";
import { contactsOf } from "./code-contacts.server";
import { findUnsaved, isBegun } from "./code-draft.server";
import { type CodeParts, partsOf } from "./code-parts.server";
import { expiredWithIt, expiryWarning } from "./code-status.policy";
import { CODE_TYPE_LABELS, fullCode, oftpIdentifier } from "./code-types";
import { listContacts, contactName } from "./contacts.policy";
import { entityTypesOf, offeredEntityTypes } from "./entity-types";
import { type OpenCode } from "./open-code.server";
import { parentNote } from "./store-code.server";

/** Returns the stored details as the initial values of the form. The form sends `version` back. */
function storedValues(parts: CodeParts, version: string) {
  const { physicalAddress, mailingAddress, entityType, ...texts } = parts;
  return {
    ...texts,
    version,
    entityTypes: entityTypesOf(entityType) as string[],
    useCompanyAddress: physicalAddress === null,
    usePhysicalAddress: mailingAddress === null,
    physicalAddress: physicalAddress ? fieldsOf(physicalAddress) : {},
    mailingAddress: mailingAddress ? fieldsOf(mailingAddress) : {},
  };
}

/** The initial values of a new entity, which is at the company address by default. */
const NEW_VALUES = { status: "Registered", useCompanyAddress: true, usePhysicalAddress: true };

type Nested = Record<string, string | boolean | string[] | Record<string, string>>;

/**
 * Returns the typed values as the initial values of the form: `physicalAddress.city` becomes part of a group, and the entity types become
 * an array.
 */
function typedValues({ entityTypes = "", ...typed }: Record<string, string>): Nested {
  const values: Nested = { entityTypes: entityTypes.split(",").filter(Boolean) };
  for (const [name, value] of Object.entries(typed)) {
    const [group = name, part] = name.split(".");
    if (part === undefined) values[name] = value;
    else values[group] = { ...(values[group] as Record<string, string> | undefined), [part]: value };
  }
  return values;
}

/** Returns the stored values of a code, or the initial values of a new one. */
export const beginningOf = async ({ stored }: OpenCode): Promise<Nested> =>
  stored ? storedValues(await partsOf(getDb(), stored), stored.updatedAt) : NEW_VALUES;

async function valuesOf(open: OpenCode): Promise<Nested> {
  const { draft, mayEdit } = open;
  const before = await beginningOf(open);
  const typed = mayEdit ? draft?.data.typed : undefined;
  if (!typed) return withOpened(before);
  // A status that cannot be chosen is missing from the typed values.
  return { ...(before.status === undefined ? {} : { status: before.status }), ...typedValues(typed) };
}

/** Returns the company details that every code of a company shows, and who registered a stored one, unless the user works alone. */
async function ownerOf(user: SessionUser, { stored, ownerId: userId, companyId }: OpenCode) {
  const owner = await findUserFor(getDb(), { userId, companyId });
  if (!owner) throw notFound();
  const [doer] = stored ? await withClients([{ ...owner, userId }], "codeId", () => stored.id) : [];
  return {
    company: owner.company,
    /** For staff, to link the company's page. */
    shownCompany: await findShownCompany(user, companyId),
    registeredBy: doer && (await namesPeople(user, [doer])) ? personName(doer) : null,
    companyRegistrationNumber: owner.companyRegistrationNumber ?? "",
    taxNumber: owner.taxNumber ?? "",
  };
}

/** Returns the warning about sub-codes, or "" when the status cannot become Expired or no sub-code would expire with the code. */
async function expiryWarningOf({ stored, mayEdit, rules }: OpenCode): Promise<string> {
  const isPossible = stored && mayEdit && rules.statuses?.includes("Expired") && stored.status !== "Expired";
  return isPossible ? expiryWarning(await listRegisteredSubcodes(getDb(), stored.id)) : "";
}

/** Returns the warning about the certificates that carry the OFTP ID, or "" when the status cannot be changed or there are none. */
async function carriersWarningOf({ stored, mayEdit, rules }: OpenCode): Promise<string> {
  const isPossible = stored?.status === "Registered" && mayEdit && rules.statuses;
  if (!isPossible) return "";
  const { length } = await listUsableCarriers(getDb(), stored, new Date());
  if (length === 0) return "";
  const which = length === 1 ? "A certificate carries" : "Certificates carry";
  return `${which} the OFTP ID of the code, and ${length === 1 ? "stays" : "stay"} valid when the code ends. Nothing is revoked by itself.`;
}

/** Returns in words which sub-codes expired with this code at its last change, or "" when none did. */
export async function expiredWith(id: number): Promise<string> {
  const code = await findCode(getDb(), id);
  return code?.status === "Expired" ? expiredWithIt(await listExpiredWith(getDb(), code)) : "";
}

async function unsavedOf(user: SessionUser, { target, draft }: OpenCode) {
  const unsaved = await findUnsaved(user.id, target, draft);
  return unsaved && { id: unsaved.id, updatedAt: unsaved.updatedAt };
}

/** Returns the data of the page of a code. */
export async function codePage(user: SessionUser, open: OpenCode) {
  const { stored, parent, draft, codeType, mayEdit, rules } = open;
  const contacts = stored ? await contactsOf(getDb(), stored.id) : [];
  const values = await valuesOf(open);
  const isTyped = draft !== null && isBegun(draft.data);
  const entityTypes =
    rules.entityTypes ?? offeredEntityTypes({ isSubEntity: parent !== null, stored: stored?.entityType ?? 0 });
  return {
    code: stored && {
      id: stored.id,
      fullCode: fullCode(stored),
      oftpIdentifier: oftpIdentifier(stored),
      status: stored.status,
      subcode: stored.subcode,
    },
    parent: parent && { code: parent.code, fullCode: fullCode(parent) },
    codeType: CODE_TYPE_LABELS[codeType],
    owner: await ownerOf(user, open),
    /** The version of the stored code; "" for a new one. */
    version: stored?.updatedAt ?? "",
    values,
    /** The note that the direct parent is no longer Registered, or "". */
    parentNote: await parentNote(values.directParentId),
    /** The warnings about what Expired would do to the sub-codes, and about certificates that stay; "" when there is none. */
    expiryWarning: [await expiryWarningOf(open), await carriersWarningOf(open)].filter(Boolean).join(" "),
    /** The certificates that carry the OFTP ID; null while the code is being registered. */
    certificates: stored && (await certificatesOfCode(stored)),
    contacts: listContacts(contacts, draft?.data.contacts ?? [], draft?.data.gone ?? []),
    /** The name of the unsaved contact that was removed last; null when there is nothing to put back. */
    removedContact: draft?.data.removed ? contactName(draft.data.removed) : null,
    /** Whether something was typed or filled in that is not saved yet. */
    isTyped,
    /** Another draft of the same form that was left before it was saved; null when there is none, or when this form has been begun. */
    unsaved: mayEdit && !isTyped ? await unsavedOf(user, open) : null,
    mayEdit,
    hasAuditLog: may(user, "see-customers"),
    rules,
    entityTypes,
  };
}

export type CodePage = Awaited<ReturnType<typeof codePage>>;
