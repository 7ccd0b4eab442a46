import { foldForSearch } from "~/lib/fold-text";

/** An account with what it is and was called. Texts are as they were typed. */
export interface Person {
  id: number;
  /** The account into which this one was merged, or null. */
  mergedInto: number | null;
  names: readonly string[];
  emails: readonly string[];
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

const isMerged = (one: Person, other: Person) =>
  one.mergedInto === other.id || (one.mergedInto !== null && one.mergedInto === other.mergedInto);

/**
 * Returns whether two accounts count as one person: the same account, an email or name that both have or had, or one was merged into the
 * other.
 */
export const isSamePerson = (one: Person, other: Person): boolean =>
  one.id === other.id ||
  haveCommon(one.emails, other.emails) ||
  haveCommon(one.names, other.names) ||
  isMerged(one, other) ||
  isMerged(other, one);

/** Returns whether both have or had a name or a registration number of a company in common. */
export const isSameCompany = (one: CompanyNames, other: CompanyNames): boolean =>
  haveCommon(one.names, other.names) || haveCommon(one.registrationNumbers, other.registrationNumbers);
