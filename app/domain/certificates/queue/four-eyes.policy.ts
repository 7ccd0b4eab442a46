import { foldForSearch } from "~/lib/fold-text";

/** How strictly several people must take part in an order (docs/decisions/0054). */
export type FourEyes = "strict" | "small-office";

/** The four-eyes principle: whoever placed an order, even while acting as the customer, neither records its checks nor approves it. */
export const OWN_ORDER =
  "Somebody other than the person who placed an order checks and approves it (four-eyes principle).";

export interface Person {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  /** The account into which this one was merged, or null. */
  mergedInto: number | null;
  company: string;
  companyRegistrationNumber: string | null;
}

/** Everybody who has taken part in an order. */
export interface OrderParties {
  owner: Person;
  /** The owner, whoever placed the order in the owner's name, and whoever reissued the certificate. */
  placedBy: readonly Person[];
  /** Whoever recorded one of the checks. */
  checkedBy: readonly Person[];
}

const folded = (text: string) => foldForSearch(text.trim());

const isSame = (one: string, other: string) => folded(one) !== "" && folded(one) === folded(other);

const isMerged = (one: Person, other: Person) =>
  one.mergedInto === other.id || (one.mergedInto !== null && one.mergedInto === other.mergedInto);

const nameOf = ({ firstName, lastName }: Person) => `${firstName} ${lastName}`;

/** Returns whether two accounts count as one person: the same account, email or name, or one was merged into the other. */
export const isSamePerson = (one: Person, other: Person): boolean =>
  one.id === other.id ||
  isSame(one.email, other.email) ||
  isSame(nameOf(one), nameOf(other)) ||
  isMerged(one, other) ||
  isMerged(other, one);

const isSameCompany = (one: Person, other: Person): boolean =>
  isSame(one.company, other.company) ||
  isSame(one.companyRegistrationNumber ?? "", other.companyRegistrationNumber ?? "");

function whyNotStrictly(task: "check" | "approve", viewer: Person, parties: OrderParties): string | null {
  if (parties.placedBy.some((person) => isSamePerson(person, viewer)))
    return "Another account of the same person placed this order: somebody else checks and approves it (four-eyes principle).";
  if (isSameCompany(parties.owner, viewer))
    return "Your account is of the company that ordered: somebody else checks and approves the order (four-eyes principle).";
  if (task === "approve" && parties.checkedBy.some((person) => isSamePerson(person, viewer)))
    return "Somebody other than the person who recorded a check approves the order (four-eyes principle).";
  return null;
}

/** Returns why this person can neither check nor approve an order (or, for `approve`, not approve it), or null. */
export function whyNotDecide(
  task: "check" | "approve",
  viewer: Person,
  parties: OrderParties,
  mode: FourEyes,
): string | null {
  if (parties.placedBy.some(({ id }) => id === viewer.id)) return OWN_ORDER;
  return mode === "strict" ? whyNotStrictly(task, viewer, parties) : null;
}
