import { type CodeContactForm, type ContactForm } from "./code-contact.schema";

/** The id of the first contact that is not stored yet; the next ones go downwards (COD-08). */
export const FIRST_TEMPORARY_ID = -20_000;

/** A contact's id in an address: null for none, which is a new one; 0, which no contact has, for anything that is no id. */
export function readContactId(text: string | null): number | null {
  if (text === null) return null;
  return /^-?[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}

export const contactName = ({ firstName, lastName }: Pick<CodeContactForm, "firstName" | "lastName">): string =>
  `${firstName} ${lastName}`;

const hasEmail = (email: string) => (contact: CodeContactForm) =>
  contact.emailAddress.toLowerCase() === email.toLowerCase();

/** Which stored contact a held one is written over: its own; of a new one, the one with its e-mail that no other held one changes. */
export const storedFor = (
  one: CodeContactForm,
  { stored, held }: { stored: readonly CodeContactForm[]; held: readonly CodeContactForm[] },
): CodeContactForm | undefined =>
  one.id > 0
    ? stored.find(({ id }) => id === one.id)
    : stored.filter(({ id }) => held.every((other) => other.id !== id)).find(hasEmail(one.emailAddress));

/** The contacts as they will be: the stored ones with the changes that are held, then the new ones. What is shown is what is saved. */
export function withHeld(stored: readonly CodeContactForm[], held: readonly CodeContactForm[]): CodeContactForm[] {
  const places = held.map((one) => [storedFor(one, { stored, held })?.id, one] as const);
  const changes = new Map(places);
  return [
    ...stored.map((contact) => changes.get(contact.id) ?? contact),
    ...places.filter(([id]) => id === undefined).map(([, one]) => one),
  ];
}

/**
 * The same for the page: which are not saved yet, and the name that is stored where it is another one. Stored ones that go when the code is
 * saved (`gone`, their ids) are last.
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

/** What an addition would take the place of: the contact with its e-mail (COD-08). */
export const replacedBy = (
  shown: readonly CodeContactForm[],
  { emailAddress }: ContactForm,
): CodeContactForm | undefined => shown.find(hasEmail(emailAddress));

export const CONTACT_EMAIL_TAKEN = "Another contact of this code has this e-mail address.";

/** Whether a change of the opened contact's e-mail makes it another one's. */
export function isContactEmailTaken(shown: readonly CodeContactForm[], typed: ContactForm, opened: number): boolean {
  const isSame = hasEmail(typed.emailAddress);
  const target = shown.find(({ id }) => id === opened);
  return target !== undefined && !isSame(target) && shown.some(isSame);
}

/**
 * What is held after a contact was filled in. `opened`: the contact that was opened, null for a new one; a new one with the e-mail of
 * another takes its place (COD-08). Out: null when the opened one is not among them.
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

/** A held contact whose e-mail another one came to have meanwhile: both would be stored with it. */
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

/** The held contacts that differ from what is stored. */
export const changedContacts = (
  held: readonly CodeContactForm[],
  stored: readonly CodeContactForm[],
): CodeContactForm[] =>
  held.filter((contact) => {
    const before = storedFor(contact, { stored, held });
    return !before || partsOf(before) !== partsOf(contact);
  });
