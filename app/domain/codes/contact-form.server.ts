import { quoted, storedNow } from "~/domain/changed-meanwhile";
import { mergeForm, withOpened } from "~/domain/merge-form.server";
import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CodeContactForm, type ContactForm } from "./code-contact.schema";
import { contactsOf } from "./code-contacts.server";
import { type CodeDraft, type Held, keepContacts } from "./code-draft.server";
import { contactChanges, CONTACT_WORDS } from "./contact-changes";
import {
  CONTACT_EMAIL_TAKEN,
  holdContact,
  isContactEmailTaken,
  contactName,
  replacedBy,
  storedFor,
  withHeld,
} from "./contacts.policy";
import { type OpenCode } from "./open-code.server";

/** Returns the stored contacts of the code. */
export const storedContacts = ({ stored }: OpenCode): Promise<CodeContactForm[]> =>
  stored ? contactsOf(getDb(), stored.id) : Promise.resolve([]);

/** Returns the stored contacts that the form does not remove. */
const staying = (stored: readonly CodeContactForm[], gone: readonly number[]) =>
  stored.filter(({ id }) => !gone.includes(id));

/** Returns a contact of the code as it is held or stored. Throws a PortalError (404) when the code has no contact with this id. */
export async function getContact(open: OpenCode, id: number): Promise<CodeContactForm> {
  const { contacts: held = [], gone = [] } = open.draft?.data ?? {};
  const contact = withHeld(staying(await storedContacts(open), gone), held).find((one) => one.id === id);
  if (!contact) throw notFound();
  return contact;
}

/** Returns the known contacts with the stored one of this id added. A contact that is known already stays as it was. */
function knownWith(
  { known = [] }: Held,
  stored: readonly CodeContactForm[],
  id: number | undefined,
): CodeContactForm[] {
  const opened = known.some((contact) => contact.id === id) ? undefined : stored.find((contact) => contact.id === id);
  return opened ? [...known, opened] : known;
}

/** Records the stored state of a contact when it is opened. */
export async function noteOpened(
  userId: number,
  { open, draft }: { open: OpenCode; draft: CodeDraft },
  id: number,
): Promise<void> {
  const stored = await storedContacts(open);
  await keepContacts(userId, draft, (held) => ({ ...held, known: knownWith(held, stored, id) }));
}

/**
 * Returns the held contacts with one added or changed, or null when the opened one does not exist. Throws the same errors as `keepContact`.
 */
function heldWith(
  all: readonly CodeContactForm[],
  { contacts: held, gone }: Held,
  typed: ContactForm,
  opened: number | null,
): Held | null {
  const stored = staying(all, gone);
  if (opened !== null && isContactEmailTaken(withHeld(stored, held), typed, opened))
    throw new PortalError(CONTACT_EMAIL_TAKEN, { code: "codes.contact-email", field: "emailAddress" });
  const contacts = holdContact({ stored, held }, typed, opened);
  return contacts && { contacts, gone };
}

/**
 * Holds a contact with the code's form until the code is saved. Returns the contact that a new one replaces, or null. Throws a PortalError
 * for the field `emailAddress` when an opened contact would get the email address of another one.
 *
 * @param opened The id of the opened contact; null for a new one.
 */
export async function keepContact(
  userId: number,
  { open, draft }: { open: OpenCode; draft: CodeDraft },
  typed: ContactForm,
  opened: number | null,
): Promise<CodeContactForm | null> {
  const stored = await storedContacts(open);
  let replaced: CodeContactForm | null = null;
  await keepContacts(userId, draft, (held) => {
    if (opened === null) replaced = replacedBy(withHeld(staying(stored, held.gone), held.contacts), typed) ?? null;
    const kept = heldWith(stored, held, typed, opened);
    return kept && { ...kept, known: knownWith(held, stored, opened ?? replaced?.id) };
  });
  return replaced;
}

/**
 * Removes the held changes of a contact. A new contact is dropped, and a stored one has its stored values again. A stored contact without
 * held changes is removed when the code is saved. Any other id changes nothing.
 */
export async function removeContact(
  userId: number,
  { open, draft }: { open: OpenCode; draft: CodeDraft },
  id: number,
): Promise<void> {
  const stored = await storedContacts(open);
  await keepContacts(userId, draft, (held) => {
    const { contacts, gone } = held;
    const dropped = contacts.find((contact) => contact.id === id);
    if (dropped) return { contacts: contacts.filter((contact) => contact !== dropped), gone, removed: dropped };
    const goes = stored.some((contact) => contact.id === id) && !gone.includes(id);
    return goes ? { contacts, gone: [...gone, id], known: knownWith(held, stored, id) } : held;
  });
}

/** Keeps a stored contact that was marked for removal. Throws a PortalError when a held contact has its email address now. */
export async function keepStored(
  userId: number,
  { open, draft }: { open: OpenCode; draft: CodeDraft },
  id: number,
): Promise<void> {
  const stored = await storedContacts(open);
  await keepContacts(userId, draft, ({ contacts, gone, removed }) => {
    const rest = gone.filter((one) => one !== id);
    const kept = stored.find((contact) => contact.id === id);
    if (kept && replacedBy(contacts, kept))
      throw new PortalError(CONTACT_EMAIL_TAKEN, { code: "codes.contact-email", field: "emailAddress" });
    return { contacts, gone: rest, removed };
  });
}

/** Holds the contact again that was removed last. Throws a PortalError when another contact has its email address now. */
export async function restoreContact(
  userId: number,
  { open, draft }: { open: OpenCode; draft: CodeDraft },
): Promise<void> {
  const stored = await storedContacts(open);
  await keepContacts(userId, draft, ({ removed, ...held }) => {
    if (!removed) return held;
    const { id, ...typed } = removed;
    return heldWith(stored, held, typed, id > 0 ? id : null);
  });
}

const withoutId = ({ id: _, ...texts }: CodeContactForm): ContactForm => texts;

function formOf(contact: CodeContactForm, opened: CodeContactForm | undefined): FormData {
  const form = new FormData();
  const texts = withoutId(contact);
  for (const [name, text] of Object.entries(texts)) form.set(name, text);
  if (opened) form.set("opened", withOpened({ ...withoutId(opened) }).opened);
  return form;
}

interface MergedContact {
  contact: CodeContactForm;
  /** What the person must know before it is saved, or "". */
  told: string;
}

/** Merges a held contact with its current stored state. */
function mergeContact(
  contact: CodeContactForm,
  now: CodeContactForm | undefined,
  known: CodeContactForm | undefined,
): MergedContact {
  if (!now) return { contact, told: known ? `${contactName(contact)} was removed. It will be added again.` : "" };
  const rules = { labels: CONTACT_WORDS, version: "version", joined: [] };
  const { form, collisions } = mergeForm(formOf(contact, known), { ...withoutId(now) }, rules);
  const texts = Object.keys(CONTACT_WORDS).map((name) => [name, form.get(name)]);
  const differing = Object.keys(collisions).map((name) => {
    const part = name as keyof typeof CONTACT_WORDS;
    return storedNow(CONTACT_WORDS[part], quoted(now[part]));
  });
  const told = differing.length > 0 ? `${contactName(contact)} was changed: ${differing.join(", ")}.` : "";
  return { contact: { ...contact, ...(Object.fromEntries(texts) as ContactForm) }, told };
}

const isSame = (one: CodeContactForm, other: CodeContactForm | undefined): boolean =>
  other !== undefined && contactChanges([one], { held: [other], gone: [] }).inWords.length === 0;

/**
 * Merges the held contacts with the current stored ones, field by field.
 *
 * @returns What the person must know before they are saved: what somebody else changed or removed in the same contacts; "" for nothing.
 */
export async function mergeContacts(
  userId: number,
  { open, draft }: { open: OpenCode; draft: CodeDraft },
): Promise<string> {
  const all = await storedContacts(open);
  let told: string[] = [];
  await keepContacts(userId, draft, ({ known = [], ...held }) => {
    const stored = staying(all, held.gone);
    const merged = held.contacts.map((contact) => {
      const now = storedFor(contact, { stored, held: held.contacts });
      return mergeContact(
        contact,
        now,
        known.find(({ id }) => id === (now ?? contact).id),
      );
    });
    const going = all.filter(({ id }) => held.gone.includes(id));
    const changed = going.filter(
      (contact) =>
        !isSame(
          contact,
          known.find(({ id }) => id === contact.id),
        ),
    );
    told = [
      ...merged.map((one) => one.told),
      ...changed.map((contact) => `${contactName(contact)}, who is to be removed, was changed.`),
    ];
    return { ...held, contacts: merged.map(({ contact }) => contact), known: all };
  });
  return told.filter(Boolean).join(" ");
}
