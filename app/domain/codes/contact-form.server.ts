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

/** A contact of the code as it is held or stored. Throws a 404 PortalError when it has none of this id. */
export async function getContact(open: OpenCode, id: number): Promise<Contact> {
  const contacts = withHeld(await storedContacts(open), open.draft?.data.contacts ?? []);
  const contact = contacts.find((one) => one.id === id);
  if (!contact) throw notFound();
  return contact;
}

/** What is held with one contact more or changed. Out: null when the opened one is not there. Throws a PortalError as `keepContact`. */
function heldWith(
  { stored, held }: { stored: Contact[]; held: Contact[] },
  typed: ContactForm,
  opened: number | null,
): Held | null {
  if (opened !== null && isEmailTaken(withHeld(stored, held), typed, opened))
    throw new PortalError(EMAIL_TAKEN, { code: "codes.contact-email", field: "emailAddress" });
  const contacts = holdContact({ stored, held }, typed, opened);
  return contacts && { contacts };
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
  await keepContacts(userId, draft, ({ contacts: held }) => {
    if (opened === null) replaced = replacedBy(withHeld(stored, held), typed) ?? null;
    return heldWith({ stored, held }, typed, opened);
  });
  return replaced;
}

/** Removes what is held of a contact: one that is not stored goes, a stored one is again as it is. Nothing of the kind: nothing happens. */
export const removeContact = (userId: number, draft: CodeDraft, id: number): Promise<void> =>
  keepContacts(userId, draft, ({ contacts, removed }) => ({
    contacts: contacts.filter((contact) => contact.id !== id),
    removed: contacts.find((contact) => contact.id === id) ?? removed,
  }));

/** Holds the contact again that was removed last. Throws a PortalError when another one came to have its e-mail meanwhile. */
export async function restoreContact(
  userId: number,
  { open, draft }: { open: OpenCode; draft: CodeDraft },
): Promise<void> {
  const stored = await storedContacts(open);
  await keepContacts(userId, draft, ({ contacts: held, removed }) => {
    if (!removed) return { contacts: held };
    const { id, ...typed } = removed;
    return heldWith({ stored, held }, typed, id > 0 ? id : null);
  });
}
