import { type CodeContactForm, type ContactForm } from "./code-contact.schema";

/** The id of the first contact that is not stored yet. The ids of the next ones go downwards (COD-08). */
export const FIRST_TEMPORARY_ID = -20_000;

/**
 * Reads the id of a contact from an address. Returns null when there is none, which means a new contact, and 0, which no contact has, for
 * anything that is not an id.
 */
export function readContactId(text: string | null): number | null {
  if (text === null) return null;
  return /^-?[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}

export const contactName = ({ firstName, lastName }: Pick<CodeContactForm, "firstName" | "lastName">): string =>
  `${firstName} ${lastName}`;

const hasEmail = (email: string) => (contact: CodeContactForm) =>
  contact.emailAddress.toLowerCase() === email.toLowerCase();

/**
 * Returns the stored contact that a held one replaces: the one with its id or, for a new contact, the one with its email address, unless
 * another held contact changes that one.
 */
export const storedFor = (
  one: CodeContactForm,
  { stored, held }: { stored: readonly CodeContactForm[]; held: readonly CodeContactForm[] },
): CodeContactForm | undefined =>
  one.id > 0
    ? stored.find(({ id }) => id === one.id)
    : stored.filter(({ id }) => held.every((other) => other.id !== id)).find(hasEmail(one.emailAddress));

/**
 * Returns the contacts as they will be saved: the stored ones with the held changes, then the new ones. The page shows the same contacts.
 */
export function withHeld(stored: readonly CodeContactForm[], held: readonly CodeContactForm[]): CodeContactForm[] {
  const places = held.map((one) => [storedFor(one, { stored, held })?.id, one] as const);
  const changes = new Map(places);
  return [
    ...stored.map((contact) => changes.get(contact.id) ?? contact),
    ...places.filter(([id]) => id === undefined).map(([, one]) => one),
  ];
}

/**
 * Returns the contacts for the page. Each says whether it is not saved yet, and its stored name when that differs. The stored contacts to
 * remove come last.
 *
 * @param gone The ids of the stored contacts to remove.
 */
export function listContacts(
  all: readonly CodeContactForm[],
  held: readonly CodeContactForm[],
  gone: readonly number[],
) {
  const stored = all.filter(({ id }) => !gone.includes(id));
  const staying = withHeld(stored, held).map((contact) => {
    const before = held.includes(contact) ? storedFor(contact, { stored, held }) : undefined;
    const isOther = before !== undefined && contactName(before) !== contactName(contact);
    const isHeld = held.includes(contact);
    return { ...contact, isHeld, isGone: false, storedAs: isOther ? contactName(before) : null };
  });
  const going = all.filter(({ id }) => gone.includes(id));
  return [...staying, ...going.map((contact) => ({ ...contact, isHeld: false, isGone: true, storedAs: null }))];
}

const nextTemporaryId = (held: readonly CodeContactForm[]): number =>
  Math.min(FIRST_TEMPORARY_ID + 1, ...held.map(({ id }) => id)) - 1;

/** Returns the contact with the same email address, which a new contact replaces (COD-08). */
export const replacedBy = (
  shown: readonly CodeContactForm[],
  { emailAddress }: ContactForm,
): CodeContactForm | undefined => shown.find(hasEmail(emailAddress));

export const CONTACT_EMAIL_TAKEN = "Another contact of this code has this email address.";

/** Returns whether a changed email address of the opened contact belongs to another contact. */
export function isContactEmailTaken(shown: readonly CodeContactForm[], typed: ContactForm, opened: number): boolean {
  const isSame = hasEmail(typed.emailAddress);
  const target = shown.find(({ id }) => id === opened);
  return target !== undefined && !isSame(target) && shown.some(isSame);
}

/**
 * Returns the held contacts after a contact was filled in, or null when the opened one does not exist. A new contact with the email address
 * of another one replaces it (COD-08).
 *
 * @param opened The id of the opened contact; null for a new one.
 */
export function holdContact(
  { stored, held }: { stored: readonly CodeContactForm[]; held: readonly CodeContactForm[] },
  typed: ContactForm,
  opened: number | null,
): CodeContactForm[] | null {
  const shown = withHeld(stored, held);
  const target = opened === null ? replacedBy(shown, typed) : shown.find(({ id }) => id === opened);
  if (opened !== null && !target) return null;
  const contact = { id: target?.id ?? nextTemporaryId(held), ...typed };
  return held.some(({ id }) => id === contact.id)
    ? held.map((one) => (one.id === contact.id ? contact : one))
    : [...held, contact];
}

/** Returns a held contact whose email address another contact has now, or undefined. Both would be stored with the same address. */
export function clashOf(
  stored: readonly CodeContactForm[],
  held: readonly CodeContactForm[],
): CodeContactForm | undefined {
  const shown = withHeld(stored, held);
  return held.find((one) => {
    const isSame = hasEmail(one.emailAddress);
    const before = storedFor(one, { stored, held });
    return !(before && isSame(before)) && shown.some((other) => other !== one && isSame(other));
  });
}

const partsOf = ({ id: _, ...parts }: CodeContactForm) => Object.entries(parts).sort().join("\n");

/** Returns the held contacts that differ from the stored ones. */
export const changedContacts = (
  held: readonly CodeContactForm[],
  stored: readonly CodeContactForm[],
): CodeContactForm[] =>
  held.filter((contact) => {
    const before = storedFor(contact, { stored, held });
    return !before || partsOf(before) !== partsOf(contact);
  });
