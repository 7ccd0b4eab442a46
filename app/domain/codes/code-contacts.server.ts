import { PortalError } from "~/lib/errors";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import {
  type CodeContactRow,
  deleteCodeContact,
  insertCodeContact,
  listCodeContacts,
  updateCodeContact,
} from "~db/repositories/code-contacts.server";
import { type NewRow } from "~db/tables";
import { type CodeContactForm } from "./code-contact.schema";
import { clashOf, CONTACT_EMAIL_TAKEN, contactName, storedFor } from "./contacts.policy";

const toContact = (row: CodeContactRow): CodeContactForm => ({
  id: row.id,
  contactType: row.contactType,
  firstName: row.firstName,
  lastName: row.lastName,
  jobTitle: row.jobTitle ?? "",
  department: row.department ?? "",
  phoneNumber: row.phoneNumber ?? "",
  mobile: row.mobile ?? "",
  fax: row.fax ?? "",
  emailAddress: row.email,
});

const toRow = (codeId: number, contact: CodeContactForm): NewRow<"codeContacts"> => ({
  codeId,
  contactType: contact.contactType,
  firstName: contact.firstName,
  lastName: contact.lastName,
  jobTitle: contact.jobTitle || null,
  department: contact.department || null,
  phoneNumber: contact.phoneNumber || null,
  mobile: contact.mobile || null,
  fax: contact.fax || null,
  email: contact.emailAddress,
});

/** Returns the stored contacts of a code. */
export const contactsOf = async (db: DbOrTrx, codeId: number): Promise<CodeContactForm[]> =>
  (await listCodeContacts(db, codeId)).map(toContact);

/**
 * Removes contacts from the code and stores the held ones, in the transaction that saves the code. Contacts that were added meanwhile stay.
 * Throws a PortalError when two contacts would have the same email address.
 */
export async function storeContacts(
  trx: Trx,
  codeId: number,
  { held, removed }: { held: readonly CodeContactForm[]; removed: readonly CodeContactForm[] },
): Promise<void> {
  for (const { id } of removed) await deleteCodeContact(trx, id);
  const stored = held.length > 0 ? await contactsOf(trx, codeId) : [];
  const clash = clashOf(stored, held);
  if (clash) throw new PortalError(`${contactName(clash)}: ${CONTACT_EMAIL_TAKEN}`, { code: "codes.contact-email" });
  for (const contact of held) {
    const before = storedFor(contact, { stored, held });
    if (before) await updateCodeContact(trx, before.id, toRow(codeId, contact));
    else await insertCodeContact(trx, toRow(codeId, contact));
  }
}
