import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { secondNeededMail } from "~/domain/mail/templates/rights.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { notFound, PortalError } from "~/lib/errors";
import { fourEyes } from "~/lib/four-eyes.server";
import { paths } from "~/lib/paths";
import { getDb, type Trx } from "~db/connection.server";
import { updateApiClient } from "~db/repositories/api-clients.server";
import {
  decideOpenRequest,
  type DualControlRow,
  findDualControlRequest,
  insertDualControlRequest,
} from "~db/repositories/dual-control.server";
import { findCustomer } from "~db/repositories/members.server";
import { lockAdministrators } from "~db/repositories/user-administration.server";
import { storeRight } from "~db/repositories/user-rights.server";
import { findUserById, listUsersById, lockUser, type UserRow } from "~db/repositories/users.server";
import { type DualControlKind } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { NO_FACTOR_LEFT, resetFactors, resetText } from "../factors/reset.server";
import { personsOf } from "../former-details.server";
import { erasePerson, type ErasurePreparation, prepareErasure } from "../personal-data/erase.server";
import { UNCONFIRMED_ERASURE } from "../personal-data/erasure.policy";
import { RIGHT_NAMES } from "../rights.policy";
import { type Person } from "../same-person.policy";
import {
  customerBarrier,
  mayRefuseOwn,
  mayWithdraw,
  DUAL_CONTROL_DAYS,
  requestText,
  separated,
  whyNotDecideRequest,
  WISH_WITHDRAWN,
} from "./dual-control.policy";
import { isEndedByPerson } from "./erasure-requests.server";
import { lockAdministratorsFor } from "./user-administrators.server";

type Wanted = Pick<DualControlRow, "kind" | "right" | "reason"> &
  Partial<Pick<DualControlRow, "apiClientId" | "scopes">>;

/**
 * Stores a request of a user administrator about an account, in the caller's transaction, which has locked the user administrators. The
 * others get a message and can decide it for seven days.
 */
export async function requestSecond(
  trx: Trx,
  user: UserRow,
  wanted: Wanted,
  actor: Actor & { id: number },
  now: Date,
): Promise<void> {
  const requestedBy = actor.id;
  const expiresAt = new Date(now.getTime() + DUAL_CONTROL_DAYS * DAY);
  const times = { requestedAt: now, expiresAt };
  const id = await insertDualControlRequest(trx, { ...wanted, ...times, userId: user.id, requestedBy });
  const what = requestText(wanted);
  const message = `Asked a second user administrator ${what}.${wanted.reason && ` Reason: ${wanted.reason}`}`;
  await recordAudit(trx, { actor, event: "account.second-requested", message, userId: user.id }, now);
  const others = (await lockAdministrators(trx)).filter((other) => other !== requestedBy && other !== user.id);
  const url = getEnv().publicUrl + paths.user(user.id);
  for (const { id: toId, firstName } of others.length > 0 ? await listUsersById(trx, others) : []) {
    const mail = secondNeededMail({
      name: firstName,
      requester: actor.name,
      username: user.username,
      what,
      expiresAt,
      notice: wanted.kind === "erase" && user.emailVerifiedAt === null ? UNCONFIRMED_ERASURE : null,
      url,
    });
    await queueOwnMail(trx, toId, { dedupeKey: `second-needed:${id}:${toId}`, mail }, now);
  }
}

const NO_OTHER = "A second user administrator must approve scopes that write, and no other one can log in.";

/**
 * Asks a second user administrator to approve the scopes of an API client of staff, in the caller's transaction, which has locked the user
 * administrators. The request is about the account of whoever asks. Throws a PortalError for the field `scopes` when nobody else can
 * approve it.
 */
export async function requestScopes(
  trx: Trx,
  wanted: { apiClientId: number; scopes: string; reason: string },
  actor: Actor,
  now: Date,
): Promise<void> {
  const user = actor.id === null ? null : await findUserById(trx, actor.id);
  if (!user) throw new Error("Only a user administrator asks for scopes.");
  if (!(await lockAdministrators(trx)).some((other) => other !== user.id))
    throw new PortalError(NO_OTHER, { code: "account.second", field: "scopes" });
  await requestSecond(trx, user, { kind: "grant-scopes", right: null, ...wanted }, { ...actor, id: user.id }, now);
}

/** A request that was approved. */
interface Approved {
  request: DualControlRow;
  actor: Actor;
  /** Null for a request that needs no preparation. */
  preparation: ErasurePreparation | null;
}

type Effect = (trx: Trx, user: UserRow, approved: Approved, now: Date) => Promise<void>;

async function grantRight(trx: Trx, user: UserRow, { request, actor }: Approved, now: Date): Promise<void> {
  const { right } = request;
  if (!right) throw new Error("The request names no right.");
  const customer = fourEyes() === "strict" ? await findCustomer(trx, [user.id]) : null;
  if (customer !== null) throw separated(customerBarrier(customer));
  if (!(await storeRight(trx, user.id, { right, isGranted: true }, actor.name, now)))
    throw new PortalError(`The account has the right ${RIGHT_NAMES[right]} already.`, { code: "account.second" });
  const message = `Granted the right ${RIGHT_NAMES[right]}.`;
  await recordAudit(trx, { actor, event: "account.right-granted", message, userId: user.id }, now);
}

async function reset(trx: Trx, user: UserRow, { request: { reason }, actor }: Approved, now: Date): Promise<void> {
  if (!(await resetFactors(trx, user, now))) throw refusal(NO_FACTOR_LEFT);
  const entry = { event: "account.factors-reset", message: resetText(reason), userId: user.id };
  await recordAudit(trx, { actor, ...entry }, now);
}

async function erase(trx: Trx, user: UserRow, { request: { reason }, actor, preparation }: Approved, now: Date) {
  if (!preparation) throw new Error("The erasure was not prepared.");
  await erasePerson(trx, user, { preparation, actor, reason }, now);
}

async function grantScopes(trx: Trx, user: UserRow, { request, actor }: Approved, now: Date): Promise<void> {
  const { apiClientId, scopes, reason } = request;
  if (apiClientId === null || scopes === null) throw new Error("The request names no scopes.");
  if (!(await updateApiClient(trx, apiClientId, { scopes }))) throw refusal("The API client was revoked meanwhile.");
  const entry = { event: "api-client.changed", message: `Approved the scopes of ${reason}.`, userId: user.id };
  await recordAudit(trx, { actor, ...entry }, now);
}

/** What an approved request does, by its kind. */
const EFFECTS: Record<DualControlKind, Effect> = {
  "grant-right": grantRight,
  "reset-factors": reset,
  erase,
  "grant-scopes": grantScopes,
};

/** Why a request cannot be decided any more. */
const NOT_OPEN = "This request has been decided already or withdrawn, or its seven days are over.";
const WITHDRAWN = "The person has withdrawn their own request for the erasure, which has ended this one.";

const whyNotOpen = (request: DualControlRow | null): string =>
  request && isEndedByPerson(request) ? WITHDRAWN : NOT_OPEN;

const refusal = (message: string, detail?: string) => new PortalError(message, { code: "account.second", detail });

/** Returns the refusal of a decision that comes too late. Its event says what the request was about. */
function tooLate(request: DualControlRow | null): PortalError {
  const message = whyNotOpen(request);
  return refusal(
    message,
    request ? `${message} It was about account ${request.userId}, ${requestText(request)}.` : message,
  );
}

type Outcome = "approved" | "refused";

/** What became of a request, for the audit trail and for whoever decided it. */
const DECIDED = {
  approved: { entry: "Approved", answer: "has been approved, and has taken effect" },
  refused: { entry: "Refused", answer: "has been refused" },
  withdrawn: { entry: "Withdrew", answer: "has been withdrawn" },
} as const;

/** A request about an account. */
export interface RequestKey {
  id: number;
  userId: number;
  /** Whether whoever decides was told that the person asks for the erasure. They are refused when that was withdrawn meanwhile. */
  isWished?: boolean;
}

/**
 * Returns the account and the request when this user administrator may decide it. Locks the account, so that it cannot join a company
 * meanwhile. Throws a PortalError otherwise.
 */
async function requireDecidable(
  trx: Trx,
  { id, userId, isWished = false }: RequestKey,
  { outcome, actor }: { outcome: Outcome; actor: Actor },
  now: Date,
) {
  const administrators = await lockAdministratorsFor(trx, actor);
  if (actor.id === null) throw new Error("Only a user administrator decides a request.");
  const request = await findDualControlRequest(trx, id);
  const user = request?.userId === userId ? await lockUser(trx, userId, now) : null;
  const requester = request && (await findUserById(trx, request.requestedBy));
  const decider = await findUserById(trx, actor.id);
  if (!request || !user || !requester || !decider) throw notFound();
  const [asking, concerned, deciding] = (await personsOf(trx, [requester, user, decider])) as [Person, Person, Person];
  const isWithdrawn = outcome === "refused" && mayWithdraw(requester, decider);
  if (isWithdrawn) return { user, request, decidedBy: actor.id, isWithdrawn };
  const about = { kind: request.kind, requester: asking, user: concerned };
  if (outcome === "refused" && mayRefuseOwn(about, deciding))
    return { user, request, decidedBy: actor.id, isWithdrawn };
  const barrier = whyNotDecideRequest(about, deciding);
  if (barrier) throw separated(barrier);
  if (!administrators.includes(requester.id))
    throw separated("Whoever made this request is no longer a user administrator.");
  const isOpen = request.kind === "erase" || !user.isDisabled; // the data of a disabled account can be erased
  if (!isOpen || user.mergedInto !== null) throw refusal("The account is disabled.");
  if (request.outcome === null && isWished && user.erasureRequestedAt === null) throw refusal(WISH_WITHDRAWN);
  return { user, request, decidedBy: actor.id, isWithdrawn };
}

/**
 * Checks that the request can be approved now, before that is confirmed. Returns whether the person asks for the erasure. Throws the same
 * errors as `decideRequest`.
 */
export const requireRequestDecision = (key: RequestKey, actor: Actor, now = new Date()): Promise<boolean> =>
  inTransaction(async (trx) => {
    const { request, user } = await requireDecidable(trx, key, { outcome: "approved", actor }, now);
    if (request.outcome !== null || Date.parse(request.expiresAt) <= now.getTime()) throw tooLate(request);
    return request.kind === "erase" && user.erasureRequestedAt !== null;
  });

/**
 * Approves or refuses a request, as a second user administrator, with its audit entry. An approved request takes effect at once. Whoever made
 * it withdraws it by refusing it. Returns a sentence that says which of these it was. Of two decisions at once, the second gets an error. Throws a PortalError
 * (404) when there is no such request about the account, a PortalError (403) when the actor is no user administrator, and a PortalError
 * that says why the actor cannot decide it.
 */
export async function decideRequest(
  key: RequestKey,
  outcome: Outcome,
  actor: Actor,
  now = new Date(),
): Promise<string> {
  const open = outcome === "approved" ? await findDualControlRequest(getDb(), key.id) : null;
  const preparation = open?.kind === "erase" ? await prepareErasure(open.userId) : null;
  return inTransaction(async (trx) => {
    const { user, request, decidedBy, isWithdrawn } = await requireDecidable(trx, key, { outcome, actor }, now);
    if (!(await decideOpenRequest(trx, key.id, { decidedBy, outcome }, now)))
      throw tooLate(await findDualControlRequest(trx, key.id));
    const done = isWithdrawn ? "withdrawn" : outcome;
    const message = `${DECIDED[done].entry} the request ${requestText(request)}.`;
    await recordAudit(trx, { actor, event: `account.second-${done}`, message, userId: user.id }, now);
    if (outcome === "approved") await EFFECTS[request.kind](trx, user, { request, actor, preparation }, now);
    return `The request ${requestText(request)} ${DECIDED[done].answer}.`;
  });
}
