import { fieldsOf } from "~/domain/accounts/details-form.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { findUserById } from "~db/repositories/users.server";
import { contactsOf } from "./code-contacts.server";
import { type CodeParts, partsOf } from "./code-parts.server";
import { CODE_TYPE_LABELS, fullCode, oftpIdentifier } from "./code-types";
import { listContacts, nameOf } from "./contacts.policy";
import { entityTypesOf, offeredEntityTypes } from "./entity-types";
import { type OpenCode } from "./open-code.server";
import { parentNote } from "./store-code.server";

/** What is stored, as the form's first values; `version` comes back with it. */
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

/** A new entity is at the company's address unless something else is said. */
const NEW_VALUES = { status: "Registered", useCompanyAddress: true, usePhysicalAddress: true };

type Nested = Record<string, string | boolean | string[] | Record<string, string>>;

/** What was typed, as the form's first values: `physicalAddress.city` belongs to a group, entity types are a list. */
function typedValues({ entityTypes = "", ...typed }: Record<string, string>): Nested {
  const values: Nested = { entityTypes: entityTypes.split(",").filter(Boolean) };
  for (const [name, value] of Object.entries(typed)) {
    const [group = name, part] = name.split(".");
    if (part === undefined) values[name] = value;
    else values[group] = { ...(values[group] as Record<string, string> | undefined), [part]: value };
  }
  return values;
}

/** What is stored of a code, or what a new one begins with. */
export const beginningOf = async ({ stored }: OpenCode): Promise<Nested> =>
  stored ? storedValues(await partsOf(getDb(), stored), stored.updatedAt) : NEW_VALUES;

async function valuesOf(open: OpenCode): Promise<Nested> {
  const { draft, mayEdit } = open;
  const before = await beginningOf(open);
  const typed = mayEdit ? draft?.data.typed : undefined;
  if (!typed) return before;
  // A status that cannot be chosen is not among what was typed.
  return { ...(before.status === undefined ? {} : { status: before.status }), ...typedValues(typed) };
}

/** The company's data that every code of an account shows. */
async function ownerOf(userId: number) {
  const owner = await findUserById(getDb(), userId);
  if (!owner) throw notFound();
  return {
    company: owner.company,
    companyRegistrationNumber: owner.companyRegistrationNumber ?? "",
    taxNumber: owner.taxNumber ?? "",
  };
}

/** Everything that the page of a code shows. */
export async function codePage(user: SessionUser, open: OpenCode) {
  const { stored, parent, draft, codeType, mayEdit, rules } = open;
  const contacts = stored ? await contactsOf(getDb(), stored.id) : [];
  const values = await valuesOf(open);
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
    owner: await ownerOf(open.ownerId),
    /** Of what is stored now. */
    version: stored?.updatedAt ?? "",
    values,
    /** That the direct parent is not Registered any more. */
    parentNote: await parentNote(values.directParentId),
    contacts: listContacts(contacts, draft?.data.contacts ?? []),
    /** The name of the unsaved contact that was removed last; null when there is nothing to put back. */
    removedContact: draft?.data.removed ? nameOf(draft.data.removed) : null,
    /** Something was typed or filled in that is not saved yet. */
    isTyped: draft !== null && (draft.data.typed !== undefined || draft.data.contacts.length > 0),
    mayEdit,
    isAdmin: user.isAdmin,
    rules,
    entityTypes,
  };
}

export type CodePage = Awaited<ReturnType<typeof codePage>>;
