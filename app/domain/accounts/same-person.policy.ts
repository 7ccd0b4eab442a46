import { foldForSearch } from "~/lib/fold-text";

/** What somebody is and was called. Texts are as they were typed. */
export interface Naming {
  names: readonly string[];
  emails: readonly string[];
}

/** An account with what it is and was called. */
export interface Person extends Naming {
  id: number;
  /** The account into which this one was merged, or null. */
  mergedInto: number | null;
}

/** Somebody whom a customer names, such as the authentication contact of an order. */
export interface NamedPerson extends Naming {
  /** The accounts that have or had the email address. */
  accounts: readonly Person[];
}

/** What a company, or the companies in which a person works and worked, are and were called. */
export interface CompanyNames {
  names: readonly string[];
  registrationNumbers: readonly string[];
}

const folded = (texts: readonly string[]) => texts.map((text) => foldForSearch(text.trim())).filter(Boolean);

/** Returns whether one of the texts on each side says the same, without regard to case and accents. Empty texts say nothing. */
function haveCommon(some: readonly string[], others: readonly string[]): boolean {
  const known = folded(others);
  return folded(some).some((text) => known.includes(text));
}

/** Returns the mailbox and the domain of an email address. anna+orders@ is Anna's mailbox (RFC 5233). */
export function partsOfEmail(email: string): { mailbox: string; domain: string } {
  const lower = email.trim().toLowerCase();
  const at = lower.lastIndexOf("@");
  return { mailbox: lower.slice(0, at).replace(/\+.*$/, ""), domain: lower.slice(at + 1) };
}

/** Returns whether messages to both addresses arrive in one mailbox. */
export function isSameMailbox(email: string, other: string): boolean {
  const [one, two] = [partsOfEmail(email), partsOfEmail(other)];
  return one.mailbox === two.mailbox && one.domain === two.domain;
}

const haveCommonMailbox = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((email) => email.trim() !== "" && others.some((other) => isSameMailbox(email, other)));

/** Returns whether both have or had an email address or a name in common. */
const isCalledAlike = (one: Naming, other: Naming): boolean =>
  haveCommonMailbox(one.emails, other.emails) || haveCommon(one.names, other.names);

const isMerged = (one: Person, other: Person) =>
  one.mergedInto === other.id || (one.mergedInto !== null && one.mergedInto === other.mergedInto);

/**
 * Returns whether two accounts count as one person: the same account, an email or name that both have or had, or one was merged into the
 * other.
 */
export const isSamePerson = (one: Person, other: Person): boolean =>
  one.id === other.id || isCalledAlike(one, other) || isMerged(one, other) || isMerged(other, one);

/** Returns whether somebody whom a customer names counts as this person: by name or address, or by an account with the address. */
export const isNamed = (named: NamedPerson, person: Person): boolean =>
  isCalledAlike(named, person) || named.accounts.some((account) => isSamePerson(account, person));

/**
 * Returns whether the email address of somebody whom a customer names leads to this person: it is or was theirs, or that of another account
 * with a common address. A common name alone does not count, because two people can share it.
 */
export const isReachedAs = (named: NamedPerson, person: Person): boolean =>
  [named, ...named.accounts].some(({ emails }) => haveCommonMailbox(emails, person.emails)) ||
  named.accounts.some((account) => account.id === person.id || isMerged(account, person) || isMerged(person, account));

/** Returns whether both have or had a name or a registration number of a company in common. */
export const isSameCompany = (one: CompanyNames, other: CompanyNames): boolean =>
  haveCommon(one.names, other.names) || haveCommon(one.registrationNumbers, other.registrationNumbers);
