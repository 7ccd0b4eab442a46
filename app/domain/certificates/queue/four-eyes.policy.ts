import { type CompanyNames, isSameCompany, isSamePerson, type Person } from "~/domain/accounts/same-person.policy";
import { type FourEyes } from "~/lib/four-eyes.server";

/**
 * The four-eyes principle: whoever prepared or placed an order, even while acting as the customer, neither records its checks nor approves
 * it.
 */
export const OWN_ORDER =
  "Somebody other than those who prepared or placed an order, or asked for a reissue, checks and approves it (four-eyes principle).";

/** Somebody who may check or approve an order. */
export interface Viewer extends Person {
  /** The companies in which the person works and has worked. */
  companies: CompanyNames;
  /** Whether the account is a member of the company that ordered, whichever company the person works in now. */
  isMember: boolean;
}

/** Everybody who has taken part in an order. */
export interface OrderParties {
  /** The company that ordered. */
  company: CompanyNames;
  /** The owner, whoever prepared the order or placed it in the owner's name, and whoever reissued the certificate. */
  placedBy: readonly Person[];
  /** Whoever recorded one of the checks. */
  checkedBy: readonly Person[];
}

function whyNotStrictly(task: "check" | "approve", viewer: Viewer, parties: OrderParties): string | null {
  if (parties.placedBy.some((person) => isSamePerson(person, viewer)))
    return "Another account of the same person prepared or placed this order: somebody else checks and approves it (four-eyes principle).";
  if (viewer.isMember || isSameCompany(parties.company, viewer.companies))
    return "Your account is of the company that ordered: somebody else checks and approves the order (four-eyes principle).";
  if (task === "approve" && parties.checkedBy.some((person) => isSamePerson(person, viewer)))
    return "Somebody other than the person who recorded a check approves the order (four-eyes principle).";
  return null;
}

/** Returns why this person can neither check nor approve an order (or, for `approve`, not approve it), or null. */
export function whyNotDecide(
  task: "check" | "approve",
  viewer: Viewer,
  parties: OrderParties,
  mode: FourEyes,
): string | null {
  if (parties.placedBy.some(({ id }) => id === viewer.id)) return OWN_ORDER;
  return mode === "strict" ? whyNotStrictly(task, viewer, parties) : null;
}
