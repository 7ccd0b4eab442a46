import { z } from "zod";
import { notEditable, saveCode } from "~/domain/codes/change.service.server";
import { codeContactSchema } from "~/domain/codes/code-contact.schema";
import { getCodeData } from "~/domain/codes/code-data.service.server";
import { codeDetailsSchema, subcode } from "~/domain/codes/code-details.schema";
import { type CodeTarget } from "~/domain/codes/code-draft.server";
import { beginningOf } from "~/domain/codes/code-page.server";
import { CODE_TYPE_LABELS, readCodeType } from "~/domain/codes/code-types";
import { storedContacts } from "~/domain/codes/contact-form.server";
import { type OpenCode, openCode } from "~/domain/codes/open-code.server";
import { hasSubEntity, registerCode } from "~/domain/codes/registration.service.server";
import { notFound } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { call, group, Reply, type SignedCaller } from "../call";
import { atFields, check, InvalidInput } from "../check";
import { CONTACT_NAMES, heldContacts, toCodeContactForm } from "../code-contact";
import { answeredCode, toAnsweredCode } from "../code-data";
import { CODE_NAMES, codeForm, KEPT_NOTES, newName, toCodeForm, type WireCodeForm, wireSubcode } from "../code-form";
import { versionConflictMessage } from "../conflict";
import { version } from "../dates";
import { id, REQUIRED, text } from "../wire";

const changed = codeForm({ id: id() }).extend({
  removedContacts: z.array(id()).nullish().describe("Ids of stored contacts that are removed"),
  updatedAt: version("code"),
});
const newEntity = codeForm({
  codeType: text().openapi({
    type: "string",
    enum: Object.values(CODE_TYPE_LABELS),
    [REQUIRED]: true,
    description: "One of codes/getcodesavailable, in upper or lower case",
  }),
  entityName: newName(),
});
const newSubEntity = codeForm({ parentId: id(), subcode: wireSubcode(), entityName: newName() });

/** The field of the request that each error code of the domain is about. */
const FIELDS: Readonly<Record<string, string>> = {
  "codes.direct-parent": "code.directParent",
  "codes.status": "code.status",
  "codes.subcode-exists": "code.subcode",
  "codes.contact-email": "contacts",
  "physicalAddress.country": "code.physicalAddress.countryId",
  "mailingAddress.country": "code.mailingAddress.countryId",
};

/**
 * Checks the forms of a code and of its contacts. Returns both in the format in which they are saved. Throws InvalidInput for invalid
 * fields.
 * @param read The version that the caller has read, or null for the stored version.
 */
async function checkForm(open: OpenCode, input: WireCodeForm, read: string | null = null) {
  const sent = input.contacts ?? [];
  const stored = await storedContacts(open);
  const form = {
    code: { ...toCodeForm(await beginningOf(open), input), ...(read !== null && { version: read }) },
    contacts: sent.map((contact, index) => toCodeContactForm(contact, index, stored)),
  };
  const schema = z.object({ code: codeDetailsSchema(open.rules), contacts: z.array(codeContactSchema) });
  const { code, contacts } = check(schema, form, { ...CODE_NAMES, ...CONTACT_NAMES });
  return { form: code, contacts: heldContacts(sent, contacts) };
}

/**
 * Returns the ids of the contacts to remove. Throws a PortalError (404) for a contact that the code does not have, and InvalidInput for one
 * that is also changed.
 */
async function requireRemovable(open: OpenCode, { contacts, removedContacts }: z.output<typeof changed>) {
  const gone = removedContacts ?? [];
  const stored = await storedContacts(open);
  const unknown = gone.findIndex((contact) => !stored.some(({ id }) => id === contact));
  if (unknown >= 0) throw notFound(`removedContacts.${unknown}`);
  const both = gone.findIndex((contact) => contacts?.some(({ id }) => id === contact));
  if (both >= 0) throw new InvalidInput({ [`removedContacts.${both}`]: "This contact is also among `contacts`." });
  return gone;
}

async function update(input: z.output<typeof changed>, { user }: SignedCaller) {
  const open = await openCode(user, { code: input.code.id }, null);
  if (open.barrier !== null) throw notEditable(open.barrier);
  const gone = await requireRemovable(open, input);
  const checked = await checkForm(open, input, input.updatedAt);
  const conflict = await atFields(FIELDS, () => saveCode({ user, open, gone, ...checked }));
  return new Reply(conflict === null, conflict ? versionConflictMessage(conflict) : "");
}

async function register(target: CodeTarget, input: WireCodeForm, { user }: SignedCaller) {
  const open = await openCode(user, target, null);
  const checked = await checkForm(open, input);
  const registered = await atFields(FIELDS, () => registerCode({ user, open, draft: null, ...checked }));
  return toAnsweredCode(await getCodeData(user, registered.id));
}

function typeOf(label: string) {
  const type = readCodeType(label);
  if (type) return { type };
  throw new InvalidInput({ "code.codeType": label.trim() === "" ? messages.required : messages.collection });
}

export const codeRegistrationCalls = group("Codes", [
  call({
    path: "Codes/UpdateEntity",
    method: "POST",
    who: "user",
    clients: "write",
    summary: "Changes a code with its addresses and contacts",
    notes: `For the code's owner while it is Registered, and for registration officers. ${KEPT_NOTES} Fields that the caller may not change are ignored. \`false\` means that nothing was saved, because the code was changed meanwhile; \`responseText\` names the changed fields.`,
    failure: "OCA0A02E",
    refuses: {
      404: "There is no such code, it is somebody else's, or it has no contact with this id",
      409: "It was cancelled or has expired: only registration officers can change it",
    },
    input: changed,
    output: z.boolean(),
    handle: update,
  }),
  call({
    path: "codes/registerNewEntity",
    method: "POST",
    who: "register-codes",
    clients: "write",
    summary: "Registers an entity: a paid code becomes the caller's",
    notes: `Only \`codeType\` and \`entityName\` are required. Without an address, the company address is used. The answer is the new code.`,
    failure: "OCA0A03E",
    refuses: {
      404: "A contact has an `id` above 0, which only stored contacts have",
      409: "The caller has no code of this type to register",
    },
    input: newEntity,
    output: answeredCode,
    handle: (input, caller) => register(typeOf(input.code.codeType), input, caller),
  }),
  call({
    path: "codes/registerNewSubEntity",
    method: "POST",
    who: "register-codes",
    clients: "write",
    summary: "Registers a sub-entity under a code of the caller's",
    notes: `Only \`parentId\`, \`subcode\` and \`entityName\` are required. The answer is the new code.`,
    failure: "OCA0A04E",
    refuses: {
      404: "There is no such code, it is somebody else's, or a contact has an `id` above 0",
      409: "Nothing more can be registered under this code",
    },
    input: newSubEntity,
    output: answeredCode,
    handle: (input, caller) => register({ parent: input.code.parentId }, input, caller),
  }),
  call({
    path: "codes/checkSubEntityExist",
    method: "POST",
    who: "register-codes",
    clients: "write",
    summary: "Whether a code of the caller has, or once had, a sub-entity with this sub-code",
    failure: "OCA0A05E",
    refuses: { 404: "There is no such code, or it is somebody else's" },
    input: z.object({ parentId: id(), subcode: wireSubcode() }).strict(),
    output: z.boolean(),
    handle: (input, { user }) => {
      const checked = check(z.object({ subcode: subcode() }), input);
      return hasSubEntity(user, input.parentId, checked.subcode);
    },
  }),
]);
