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

/** The contacts that the code has already. */
export const storedContacts = ({ stored }: OpenCode): Promise<CodeContactForm[]> =>
  stored ? contactsOf(getDb(), stored.id) : Promise.resolve([]);

/** The stored contacts that a form leaves. */
const staying = (stored: readonly CodeContactForm[], gone: readonly number[]) =>
  stored.filter(({ id }) => !gone.includes(id));

/** A contact of the code as it is held or stored. Throws a 404 PortalError when it has none of this id. */
export async function getContact(open: OpenCode, id: number): Promise<CodeContactForm> {
  const { contacts: held = [], gone = [] } = open.draft?.data ?? {};
  const contact = withHeld(staying(await storedContacts(open), gone), held).find((one) => one.id === id);
  if (!contact) throw notFound();
  return contact;
}

/** The known contacts with one more, as it is stored; one that is known stays as it was. */
function knownWith(
  { known = [] }: Held,
  stored: readonly CodeContactForm[],
  id: number | undefined,
): CodeContactForm[] {
  const opened = known.some((contact) => contact.id === id) ? undefined : stored.find((contact) => contact.id === id);
  return opened ? [...known, opened] : known;
}

/** Notes how a contact is stored when it is opened. */
export async function noteOpened(
  userId: number,
  { open, draft }: { open: OpenCode; draft: CodeDraft },
  id: number,
): Promise<void> {
  const stored = await storedContacts(open);
  await keepContacts(userId, draft, (held) => ({ ...held, known: knownWith(held, stored, id) }));
}

/** What is held with one contact more or changed. Out: null when the opened one is not there. Throws a PortalError as `keepContact`. */
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
 * Holds a contact with the code's form until that is saved. `opened`: null for a new one. Out: the contact whose place a new one takes,
 * or null. Throws a PortalError at the e-mail when an opened contact would get that of another one.
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
 * Removes what is held of a contact: one that is not stored goes, a stored one is again as it is. A stored contact of which nothing is held
 * goes when the code is saved. For any other id nothing happens.
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

/** Keeps a stored contact that was to go. Throws a PortalError when a held one came to have its e-mail meanwhile. */
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

/** Holds the contact again that was removed last. Throws a PortalError when another one came to have its e-mail meanwhile. */
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
  /** What the person has to be told before it is saved, or "". */
  told: string;
}

/** Merges a held contact with what is stored of it now. */
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
 * Merges the held contacts with those that are stored now, field by field.
 * @returns What the person has to be told before they are saved: what somebody else changed or removed of the same contacts; "" for nothing.
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
