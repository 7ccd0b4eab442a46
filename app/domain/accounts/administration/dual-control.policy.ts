import { type DualControlKind } from "~db/tables";
import { type Right, RIGHT_NAMES } from "../rights.policy";
import { isSamePerson, type Person } from "../same-person.policy";

/** How many days a request waits for a decision. */
export const DUAL_CONTROL_DAYS = 7;

/** The rights that only two user administrators together grant under the strict four-eyes principle. */
const GRANTED_BY_TWO: readonly Right[] = ["approver", "user-administrator", "admin"];

export const isGrantedByTwo = (right: Right): boolean => GRANTED_BY_TWO.includes(right);

/** Why one user administrator alone cannot go on, and who can. */
export const NO_SECOND =
  "A second user administrator must approve this, and no other one can log in. Whoever runs the portal can grant the right with the command 'portal users grant'.";

/** Returns what a request asks for, in words. */
export const requestText = ({ kind, right }: { kind: DualControlKind; right: Right | null }): string =>
  kind === "grant-right" && right ? `to grant the right ${RIGHT_NAMES[right]}` : "to reset the second factors";

interface Request {
  requester: Person;
  /** The id of the account that the request is about. */
  userId: number;
}

/** Returns why this user administrator cannot decide about a request, or null. */
export function whyNotDecideRequest({ requester, userId }: Request, decider: Person): string | null {
  if (decider.id === userId) return "The request is about your own account: another user administrator decides it.";
  return isSamePerson(requester, decider) ? "You made this request: another user administrator decides it." : null;
}
