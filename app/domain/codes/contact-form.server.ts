import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { contactsOf } from "./code-contacts.server";
import { type Contact, type ContactForm } from "./code-contact.schema";
import { type CodeDraft, type Held, keepContacts } from "./code-draft.server";
import { EMAIL_TAKEN, holdContact, isEmailTaken, replacedBy, withHeld } from "./contacts.policy";
import { type OpenCode } from "./open-code.server";

/** The contacts that the code has already. */
export const storedContacts = ({ stored }: OpenCode): Promise<Contact[]> =>
  stored ? contactsOf(getDb(), stored.id) : Promise.resolve([]);

/** The stored contacts that a form leaves. */
const staying = (stored: readonly Contact[], gone: readonly number[]) => stored.filter(({ id }) => !gone.includes(id));

/** A contact of the code as it is held or stored. Throws a 404 PortalError when it has none of this id. */
export async function getContact(open: OpenCode, id: number): Promise<Contact> {
  const { contacts: held = [], gone = [] } = open.draft?.data ?? {};
  const contact = withHeld(staying(await storedContacts(open), gone), held).find((one) => one.id === id);
  if (!contact) throw notFound();
  return contact;
}

/** What is held with one contact more or changed. Out: null when the opened one is not there. Throws a PortalError as `keepContact`. */
function heldWith(
  all: readonly Contact[],
  { contacts: held, gone }: Held,
  typed: ContactForm,
  opened: number | null,
): Held | null {
  const stored = staying(all, gone);
  if (opened !== null && isEmailTaken(withHeld(stored, held), typed, opened))
    throw new PortalError(EMAIL_TAKEN, { code: "codes.contact-email", field: "emailAddress" });
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
): Promise<Contact | null> {
  const stored = await storedContacts(open);
  let replaced: Contact | null = null;
  await keepContacts(userId, draft, (held) => {
    if (opened === null) replaced = replacedBy(withHeld(staying(stored, held.gone), held.contacts), typed) ?? null;
    return heldWith(stored, held, typed, opened);
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
    return goes ? { contacts, gone: [...gone, id] } : held;
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
      throw new PortalError(EMAIL_TAKEN, { code: "codes.contact-email", field: "emailAddress" });
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
