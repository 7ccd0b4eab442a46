import { type Contact, type ContactForm } from "./code-contact.schema";

/** The id of the first contact that is not stored yet; the next ones go downwards (B §3). */
export const FIRST_TEMPORARY_ID = -20_000;

/** A contact's id in an address: null for none, which is a new one; 0, which no contact has, for anything that is no id. */
export function readContactId(text: string | null): number | null {
  if (text === null) return null;
  return /^-?[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}

const hasEmail = (email: string) => (contact: Contact) => contact.emailAddress.toLowerCase() === email.toLowerCase();

/** The contacts as they will be: the stored ones with the changes that are held, then the new ones. */
export const withHeld = (stored: readonly Contact[], held: readonly Contact[]): Contact[] => [
  ...stored.map((contact) => held.find(({ id }) => id === contact.id) ?? contact),
  ...held.filter(({ id }) => id < 0),
];

const nextTemporaryId = (held: readonly Contact[]): number =>
  Math.min(FIRST_TEMPORARY_ID + 1, ...held.map(({ id }) => id)) - 1;

/**
 * What is held after a contact was filled in. `id`: the contact that was opened, null for a new one; a new one with the e-mail of another
 * takes its place (B §4). Out: null when the opened one is not among them.
 */
export function holdContact(
  { stored, held }: { stored: readonly Contact[]; held: readonly Contact[] },
  typed: ContactForm,
  opened: number | null,
): Contact[] | null {
  const shown = withHeld(stored, held);
  const target = shown.find(opened === null ? hasEmail(typed.emailAddress) : ({ id }) => id === opened);
  if (opened !== null && !target) return null;
  const contact = { id: target?.id ?? nextTemporaryId(held), ...typed };
  return held.some(({ id }) => id === contact.id)
    ? held.map((one) => (one.id === contact.id ? contact : one))
    : [...held, contact];
}

/** Which stored contact a held one is written over: its own, or the one with its e-mail that came meanwhile. */
export const storedFor = (held: Contact, stored: readonly Contact[]): Contact | undefined =>
  stored.find(held.id > 0 ? ({ id }) => id === held.id : hasEmail(held.emailAddress));

const partsOf = ({ id: _, ...parts }: Contact) => Object.entries(parts).sort().join("\n");

/** The held contacts that differ from what is stored. */
export const changedContacts = (held: readonly Contact[], stored: readonly Contact[]): Contact[] =>
  held.filter((contact) => {
    const before = storedFor(contact, stored);
    return !before || partsOf(before) !== partsOf(contact);
  });
