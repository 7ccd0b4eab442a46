import { foldForSearch } from "~/lib/fold-text";

export interface Person {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  /** The account into which this one was merged, or null. */
  mergedInto: number | null;
}

const folded = (text: string) => foldForSearch(text.trim());

/** Returns whether two texts say the same, without regard to case and accents. Empty texts say nothing. */
export const saysTheSame = (one: string, other: string): boolean => folded(one) !== "" && folded(one) === folded(other);

const isMerged = (one: Person, other: Person) =>
  one.mergedInto === other.id || (one.mergedInto !== null && one.mergedInto === other.mergedInto);

const nameOf = ({ firstName, lastName }: Person) => `${firstName} ${lastName}`;

/** Returns whether two accounts count as one person: the same account, email or name, or one was merged into the other. */
export const isSamePerson = (one: Person, other: Person): boolean =>
  one.id === other.id ||
  saysTheSame(one.email, other.email) ||
  saysTheSame(nameOf(one), nameOf(other)) ||
  isMerged(one, other) ||
  isMerged(other, one);
