import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { contactsOf } from "./code-contacts.server";
import { type Contact, type ContactForm } from "./code-contact.schema";
import { type CodeDraft, keepContacts } from "./code-draft.server";
import { EMAIL_TAKEN, holdContact, isEmailTaken, replacedBy, withHeld } from "./contacts.policy";
import { type OpenCode } from "./open-code.server";

const storedContacts = ({ stored }: OpenCode): Promise<Contact[]> =>
  stored ? contactsOf(getDb(), stored.id) : Promise.resolve([]);

/** A contact of the code as it is held or stored. Throws a 404 PortalError when it has none of this id. */
export async function getContact(open: OpenCode, id: number): Promise<Contact> {
  const contacts = withHeld(await storedContacts(open), open.draft?.data.contacts ?? []);
  const contact = contacts.find((one) => one.id === id);
  if (!contact) throw notFound();
  return contact;
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
    const shown = withHeld(stored, held);
    if (opened === null) replaced = replacedBy(shown, typed) ?? null;
    else if (isEmailTaken(shown, typed, opened))
      throw new PortalError(EMAIL_TAKEN, { code: "codes.contact-email", field: "emailAddress" });
    return holdContact({ stored, held }, typed, opened);
  });
  return replaced;
}
