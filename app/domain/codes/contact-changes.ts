import { quoted } from "~/domain/changed-meanwhile";
import { type CodeContactForm } from "./code-contact.schema";
import { changedContacts, contactName, storedFor } from "./contacts.policy";

/** The names of a contact's fields in sentences. */
export const CONTACT_WORDS: Readonly<Record<Exclude<keyof CodeContactForm, "id">, string>> = {
  contactType: "contact type",
  firstName: "first name",
  lastName: "last name",
  jobTitle: "job title",
  department: "department",
  phoneNumber: "telephone",
  mobile: "mobile",
  fax: "fax",
  emailAddress: "email",
};
const PARTS = Object.keys(CONTACT_WORDS) as (keyof typeof CONTACT_WORDS)[];

const allParts = (contact: CodeContactForm): string =>
  PARTS.filter((part) => contact[part] !== "")
    .map((part) => `${CONTACT_WORDS[part]} ${quoted(contact[part])}`)
    .join(", ");

const differing = (before: CodeContactForm, after: CodeContactForm): string =>
  PARTS.filter((part) => before[part] !== after[part])
    .map((part) => `${CONTACT_WORDS[part]} from ${quoted(before[part])} to ${quoted(after[part])}`)
    .join(", ");

/**
 * Returns what a form does with the stored contacts: the new and changed ones to store, those to remove, and both in words for the audit
 * trail.
 *
 * @param gone The ids of the stored contacts to remove. Ids that no longer exist are ignored.
 */
export function contactChanges(
  all: readonly CodeContactForm[],
  { held: given, gone }: { held: readonly CodeContactForm[]; gone: readonly number[] },
) {
  const removed = all.filter(({ id }) => gone.includes(id));
  const stored = all.filter(({ id }) => !gone.includes(id));
  const held = changedContacts(given, stored);
  const inWords = [
    ...removed.map((contact) => `contact ${contactName(contact)} removed (${allParts(contact)})`),
    ...held.map((contact) => {
      const before = storedFor(contact, { stored, held });
      return before
        ? `contact ${contactName(before)} (${differing(before, contact)})`
        : `contact ${contactName(contact)} added (${allParts(contact)})`;
    }),
  ];
  return { held, removed, inWords };
}
