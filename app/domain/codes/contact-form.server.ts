import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { contactsOf } from "./code-contacts.server";
import { type Contact, type ContactForm } from "./code-contact.schema";
import { type CodeDraft, keepContacts } from "./code-draft.server";
import { holdContact, withHeld } from "./contacts.policy";
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

/** Holds a contact with the code's form until that is saved. `opened`: null for a new one. */
export async function keepContact(
  userId: number,
  { open, draft }: { open: OpenCode; draft: CodeDraft },
  typed: ContactForm,
  opened: number | null,
): Promise<void> {
  const stored = await storedContacts(open);
  await keepContacts(userId, draft, (held) => holdContact({ stored, held }, typed, opened));
}
