import { PortalError } from "~/lib/errors";
import { type DualControlKind } from "~db/tables";
import { type Right, RIGHT_NAMES } from "../rights.policy";
import { isSamePerson, type Person } from "../same-person.policy";

/** The code of every refusal of separated duties that is about accounts. Each of them is a security event. */
export const SEPARATED_DUTIES = "account.separated-duties";

/** Returns the error about separated duties. Its sentence addresses nobody, because the security event repeats it for auditors. */
export const separated = (message: string) => new PortalError(message, { code: SEPARATED_DUTIES, detail: message });

/** How many days a request waits for a decision. */
export const DUAL_CONTROL_DAYS = 7;

/** The rights that only two user administrators together grant under the strict four-eyes principle. */
const GRANTED_BY_TWO: readonly Right[] = ["approver", "user-administrator", "admin"];

export const isGrantedByTwo = (right: Right): boolean => GRANTED_BY_TWO.includes(right);

/** Returns the command with which whoever runs the portal grants a right, and says who they are. */
export const grantCommand = (right = "RIGHT"): string =>
  `'npm run portal -- users grant EMAIL ${right} --operator WHO'`;

/** Returns why one user administrator alone cannot go on, and what whoever runs the portal can do. */
export const noSecond = (command: string): string =>
  `A second user administrator must approve this, and no other one can log in. Whoever runs the portal can ${command}.`;

const KIND_TEXTS: Record<Exclude<DualControlKind, "grant-right">, string> = {
  "reset-factors": "to reset the second factors",
  erase: "to erase the personal data",
  "grant-scopes": "to let an API client of staff write",
};

/** Returns what a request asks for, in words. */
export const requestText = ({ kind, right }: { kind: DualControlKind; right: Right | null }): string =>
  kind === "grant-right" ? `to grant the right ${right ? RIGHT_NAMES[right] : ""}` : KIND_TEXTS[kind];

/** Returns why an account that belongs to a customer company gets no right of staff, and what must happen first. */
export const customerBarrier = (company: string): string =>
  `The account is a member of ${company}, a customer: the company has other members, or it has ordered something. Staff belong to no customer (four-eyes principle). The person leaves the company first, or gets the right with another account.`;

interface Request {
  kind: DualControlKind;
  requester: Person;
  /** The account that the request is about. */
  user: Person;
}

/** Returns why this user administrator cannot decide about a request, or null. Another account of a person counts as the person's own. */
export function whyNotDecideRequest({ kind, requester, user }: Request, decider: Person): string | null {
  if (decider.id === user.id)
    return "Nobody decides a request about their own account: another user administrator decides it.";
  if (isSamePerson(user, decider))
    return "The request is about another account with a name or an email address that the user administrator has or had: another one decides it.";
  // The scopes of a client are asked for by whoever answers for it.
  if (kind !== "grant-scopes" && isSamePerson(requester, user))
    return "The request is about another account of whoever made it: another user administrator must make it.";
  return isSamePerson(requester, decider)
    ? "Nobody decides their own request: another user administrator decides it."
    : null;
}

/**
 * Returns whether user administrators asked for an erasure because the person had asked for it. A request from before has another reason.
 *
 * @param wishedAt When the person asked for the erasure, or null when they have not, or have withdrawn it.
 */
export const isForWish = ({ requestedAt }: { requestedAt: string }, wishedAt: string | null): boolean =>
  wishedAt !== null && requestedAt >= wishedAt;

/** Why nobody goes on with an erasure that they began when the person still asked for it. */
export const WISH_WITHDRAWN = "The person has withdrawn the request for the erasure meanwhile.";

/**
 * Returns whether somebody may refuse a request although they cannot approve it: a reset of the own second factors, which somebody else
 * may have asked for to log in in their place.
 */
export const mayRefuseOwn = ({ kind, user }: Pick<Request, "kind" | "user">, decider: Pick<Person, "id">): boolean =>
  kind === "reset-factors" && user.id === decider.id;

/** Returns whether this user administrator may withdraw the request: whoever made it, from the account with which they made it. */
export const mayWithdraw = (requester: { id: number }, by: { id: number }): boolean => requester.id === by.id;
