import {
  type CompanyNames,
  isNamed,
  isReachedAs,
  isSameCompany,
  isSamePerson,
  type NamedPerson,
  type Person,
} from "~/domain/accounts/same-person.policy";
import { type FourEyes } from "~/lib/four-eyes.server";

/** Why the four-eyes principle keeps somebody from a decision: what the person reads, and what the security event says. */
export interface FourEyesBarrier {
  text: string;
  detail: string;
}

/**
 * The four-eyes principle: whoever prepared or placed an order, even while acting as the customer, neither records its checks nor approves
 * it.
 */
const OWN_ORDER: FourEyesBarrier = {
  text: "Somebody other than those who prepared or placed an order, or asked for a reissue, checks and approves it (four-eyes principle).",
  detail: "The account prepared or placed the order, or asked for the reissue (four-eyes principle).",
};

/** Somebody who may check or approve an order. */
export interface Viewer extends Person {
  /** The companies in which the person works and has worked. */
  companies: CompanyNames;
  /** Whether the account is a member of the company that ordered, whichever company the person works in now. */
  isMember: boolean;
}

/** A check of an order that somebody recorded. */
export interface RecordedCheck {
  by: Person;
  /** The name of the check on the order's page. */
  check: string;
  /** When it was recorded, in words. */
  at: string;
}

/** Everybody who has taken part in an order. */
export interface OrderParties {
  /** The company that ordered. */
  company: CompanyNames;
  /** The owner, whoever prepared the order or placed it in the owner's name, and whoever reissued the certificate. */
  placedBy: readonly Person[];
  checkedBy: readonly RecordedCheck[];
  /** The authentication contact of an open order. */
  contact: NamedPerson | null;
  /** Whoever changed the details of the customer that the checks compare, with the time in words. */
  changedBy: readonly { by: Person; at: string }[];
}

/** The rule that the one who approves is not one of those who checked. */
const CHECKED_BY_OTHERS =
  "Somebody other than the person who recorded a check approves the order (four-eyes principle).";

/** Returns which of the checks this person recorded, or null for none. */
function ownChecks(viewer: Person, checks: readonly RecordedCheck[]): FourEyesBarrier | null {
  const own = checks.filter(({ by }) => isSamePerson(by, viewer));
  if (own.length === 0) return null;
  const who = own.some(({ by }) => by.id === viewer.id) ? "You" : "Another account of yours";
  const checked = own.map(({ check, at }) => `'${check}' on ${at}`).join(", ");
  return {
    text: `${CHECKED_BY_OTHERS} ${who} recorded ${checked}.`,
    detail: `The person recorded ${checked} (four-eyes principle).`,
  };
}

/** Who authorised the order does not matter: the customer named this person to speak for the organisation. */
const IS_CONTACT: FourEyesBarrier = {
  text: "You, or somebody with your name or an email address of yours, are the authentication contact of this order: somebody else checks and approves it (four-eyes principle).",
  detail: "The authentication contact has the name or an email address of the person (four-eyes principle).",
};

const IS_SAME_PERSON: FourEyesBarrier = {
  text: "Another account of the same person prepared or placed this order: somebody else checks and approves it (four-eyes principle).",
  detail: "Another account of the same person prepared or placed the order (four-eyes principle).",
};

const IS_OF_COMPANY: FourEyesBarrier = {
  text: "Your account is of the company that ordered: somebody else checks and approves the order (four-eyes principle).",
  detail: "The account is of the company that ordered (four-eyes principle).",
};

const changedDetails = (at: string): FourEyesBarrier => ({
  text: `You changed the customer's details on ${at}: somebody else checks and approves the order (four-eyes principle).`,
  detail: `The person changed the customer's details on ${at} (four-eyes principle).`,
});

function whyNotStrictly(task: "check" | "approve", viewer: Viewer, parties: OrderParties): FourEyesBarrier | null {
  if (parties.placedBy.some((person) => isSamePerson(person, viewer))) return IS_SAME_PERSON;
  if (viewer.isMember || isSameCompany(parties.company, viewer.companies)) return IS_OF_COMPANY;
  const change = parties.changedBy.find(({ by }) => isSamePerson(by, viewer));
  if (change) return changedDetails(change.at);
  if (parties.contact && isNamed(parties.contact, viewer)) return IS_CONTACT;
  return task === "approve" ? ownChecks(viewer, parties.checkedBy) : null;
}

/**
 * Why somebody with the name of a member of staff does not authorise an order by the link. They may be another person: an officer who is not
 * that member of staff asks them, and records the answer and that they are another person.
 */
export const NAMESAKE =
  "The authentication contact has the same name as a member of staff of the certificate authority, so the answer by the link does not count (four-eyes principle).";

/** Returns the members of staff whose name the contact of an order has, although the contact's address does not lead to them. */
export const namesakesOf = (contact: NamedPerson, staff: readonly Person[]): Person[] =>
  staff.some((member) => isReachedAs(contact, member)) ? [] : staff.filter((member) => isNamed(contact, member));

/**
 * Returns why the authentication contact cannot authorise the order, or null. A refusal is always possible, because it issues nothing.
 *
 * @param staff All members of staff.
 * @param placedBy The ids of the accounts that prepared, placed or reissued, and of whoever acted as one of them.
 */
export function whyNotAuthorise(
  contact: NamedPerson,
  { staff, placedBy }: { staff: readonly Person[]; placedBy: readonly number[] },
  mode: FourEyes,
): string | null {
  const same = staff.filter((member) => isNamed(contact, member));
  if (same.some(({ id }) => placedBy.includes(id)))
    return "The authentication contact has the name or an email address of a member of staff who took part in this order or asked for it (four-eyes principle).";
  if (mode === "strict" && namesakesOf(contact, staff).length > 0) return NAMESAKE;
  return mode === "strict" && same.length > 0
    ? "The authentication contact has the name or an email address of a member of staff of the certificate authority (four-eyes principle)."
    : null;
}

/** Returns why this person can neither check nor approve an order (or, for `approve`, not approve it), or null. */
export function whyNotDecide(
  task: "check" | "approve",
  viewer: Viewer,
  parties: OrderParties,
  mode: FourEyes,
): FourEyesBarrier | null {
  if (parties.placedBy.some(({ id }) => id === viewer.id)) return OWN_ORDER;
  return mode === "strict" ? whyNotStrictly(task, viewer, parties) : null;
}
