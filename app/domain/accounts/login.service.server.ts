import { recordAudit } from "~/domain/audit/audit.service.server";
import { NO_CLIENT } from "~/domain/security-events/client";
import { detailOf } from "~/domain/security-events/details";
import { recordSecurityEvent, typedName } from "~/domain/security-events/security-events.service.server";
import { isPortalError, PortalError } from "~/lib/errors";
import { isEmail } from "~/lib/fields";
import { inTurn } from "~/lib/in-turn.server";
import { messages } from "~/lib/messages";
import { getDb } from "~db/connection.server";
import { UNTRIED } from "~db/repositories/account-access.server";
import { hasFactor, storeFactorAsked } from "~db/repositories/second-factors.server";
import { findUserById, listUsersByLogin, updateUser, type UserRow } from "~db/repositories/users.server";
import { type Proof, type SignOnStrength } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { countFailure, isShut } from "./account-lock.server";
import { isOneFactor, PROOF_NAMES } from "./factors/factors.policy";
import { endPendingLogin, PENDING_ENDED, type PendingLogin, startPendingLogin } from "./factors/pending-login.server";
import { type LoginOrigin } from "./login-origin";
import { findKnownPlace, noteLoginNetwork } from "./login-places.server";
import { consumeLoginTry, resetLoginTries } from "./login-throttle.server";
import { findNewLogin, tellAboutNewLogin } from "./new-login.server";
import { verifyPassword } from "./passwords.server";
import { isStaff } from "./rights.policy";
import { requirePasswordLogin } from "./single-sign-on/staff-passwords.server";
import { staffRightsOf } from "./staff-rights.server";

/** The messages of failed logins, word for word (LOG-02, LOG-03). */
export const LOGIN_MESSAGES = {
  InvalidUsername:
    "The username you have entered is Invalid. Please re-enter your credentials or register as a new customer.",
  InvalidPassword:
    "The password you have entered is Invalid. Please re-enter your credentials or use the Forgot Password option.",
  AccountDisabled: "This user account has been disabled. Please contact support to get this account re-enabled.",
  AccountLocked: "This user account is locked. Please contact support.",
} as const;

export type LoginFailure = keyof typeof LOGIN_MESSAGES;

const refusal = (outcome: LoginFailure) => new PortalError(LOGIN_MESSAGES[outcome], { code: outcome, status: 422 });

/** Returns the error for a name that no account has. A name that is not an email address was probably a mistyped one. */
const unknown = (name: string) =>
  isEmail(name)
    ? refusal("InvalidUsername")
    : new PortalError(messages.email, { code: "InvalidUsername", field: "email" });

/**
 * Returns the accounts that a user name or email can refer to. The user name of a merged account refers to the account that it was merged
 * into; the old password no longer counts.
 */
async function listCandidates(name: string): Promise<UserRow[]> {
  const found = await listUsersByLogin(getDb(), name);
  const merged = found.filter(({ username, mergedInto }) => mergedInto !== null && username === name);
  const survivors = await Promise.all(merged.map(({ mergedInto }) => findUserById(getDb(), mergedInto ?? 0)));
  const all = [...found, ...survivors].filter((user) => user?.mergedInto === null) as UserRow[];
  return [...new Map(all.map((user) => [user.id, user])).values()];
}

/**
 * Sorts open accounts before disabled ones, then the account with that user name first, then the one that was used last. The order matters
 * because several accounts can have the same password.
 */
function inOrder(candidates: readonly UserRow[], name: string): UserRow[] {
  const places = (user: UserRow) => [Number(user.isDisabled), Number(user.username !== name)] as const;
  return [...candidates].sort((one, other) => {
    const [a, b] = [places(one), places(other)];
    const byUse = (other.lastLoginAt ?? "").localeCompare(one.lastLoginAt ?? "");
    return a[0] - b[0] || a[1] - b[1] || byUse || one.id - other.id;
  });
}

/** An account that a login may refer to, and the known place of the login or null. */
interface Candidate {
  user: UserRow;
  place: string | null;
}

/**
 * Returns the accounts whose password is compared. Throws AccountLocked when all accounts that the user could enter are locked. A locked
 * account among others is skipped: a different answer would show a guesser that the password is right.
 */
async function requireOpen(users: readonly UserRow[], origin: LoginOrigin, now: Date): Promise<Candidate[]> {
  const candidates = await Promise.all(
    users.map(async (user) => ({ user, place: await findKnownPlace(user, origin, now) })),
  );
  const open = candidates.filter(({ user, place }) => !isShut(user, place, now));
  const isDecisive = ({ user }: Candidate) => !user.isDisabled || users.every(({ isDisabled }) => isDisabled);
  if (!open.some(isDecisive)) throw refusal("AccountLocked");
  return open;
}

/** Returns the first account that has this password, or null. Several imported accounts can share an email. */
async function findByPassword(candidates: readonly Candidate[], password: string): Promise<Candidate | null> {
  for (const candidate of candidates) if (await verifyPassword(candidate.user.passwordHash, password)) return candidate;
  return null;
}

const fromText = ({ network }: LoginOrigin) => (network ? `from the network ${network}` : "on the command line");

/** Compares the password with the accounts that are open now. When a wrong password locks them all, throws AccountLocked at once. */
async function findAccount(name: string, password: string, origin: LoginOrigin, now: Date): Promise<Candidate> {
  const open = await requireOpen(inOrder(await listCandidates(name), name), origin, now);
  const found = await findByPassword(open, password);
  if (found) return found;
  for (const { user, place } of open)
    await countFailure(user.id, place, { from: fromText(origin), client: origin.client }, now);
  await requireOpen(await listCandidates(name), origin, now);
  throw refusal("InvalidPassword");
}

/** The origin of a login on the command line, which has neither network nor cookies. */
const NOWHERE: LoginOrigin = { network: "", devices: [], client: NO_CLIENT };

/** What each code of a failed login means in the list of security events. */
const FAILURES: Readonly<Record<string, string>> = {
  InvalidUsername: "There is no such account.",
  InvalidPassword: "The password was wrong.",
  AccountDisabled: "The account is disabled.",
  AccountLocked: "The account is locked.",
  "rate-limit": "There were too many logins.",
};

/** Records a failed login. It is about an account only when the name belongs to exactly one. */
async function recordFailure(error: unknown, typed: string, users: readonly UserRow[], { client }: LoginOrigin) {
  if (!isPortalError(error)) return;
  const userId = users.length === 1 ? users[0]?.id : null;
  const actorName = typedName(typed, users.length > 0);
  const detail = FAILURES[error.code] ?? detailOf(error);
  await recordSecurityEvent(getDb(), { event: "login.failed", userId, actorName, client, detail });
}

/** A finished login, or one whose password was right and that waits for the second factor. */
export type Login = LoggedIn | { pending: string; userId: number };

/** The account of a finished login. A session is started with these values. */
export interface LoggedIn {
  id: number;
  sessionEpoch: number;
  /** With what the user proved who they are. */
  proof: Proof;
  /** For a login through the identity provider, how it recognised the user. */
  signedOnWith?: SignOnStrength | null;
}

/**
 * Checks user name or email and password. Returns the account and records the login. For an account with a second factor, returns the token
 * of a login that waits for it, which `finishLogin` records. Throws a PortalError whose code is the outcome (InvalidUsername, InvalidPassword, AccountDisabled, AccountLocked), or a PortalError (429).
 *
 * A wrong password counts for every account that it could have opened. Passwords for one account from unknown places are compared one after
 * the other, so that concurrent tries cannot share the last one. Locked accounts are refused before that.
 */
export async function login(
  name: string,
  password: string,
  { origin = NOWHERE, now = new Date() }: { origin?: LoginOrigin; now?: Date } = {},
): Promise<Login> {
  const typed = name.trim().toLowerCase();
  const users = await listCandidates(typed);
  try {
    return await logInOneOf(users, typed, password, { origin, now });
  } catch (error) {
    await recordFailure(error, typed, users, origin);
    throw error;
  }
}

async function logInOneOf(
  users: readonly UserRow[],
  typed: string,
  password: string,
  { origin, now }: { origin: LoginOrigin; now: Date },
): Promise<Login> {
  await consumeLoginTry(typed, users, origin);
  if (users.length === 0) {
    await verifyPassword(null, password);
    throw unknown(typed);
  }
  const open = await requireOpen(users, origin, now);
  const turn = `login ${open.map(({ user, place }) => `${user.id} ${place ?? ""}`).join()}`;
  const { user, place } = await inTurn(turn, () => findAccount(typed, password, origin, now));
  if (user.isDisabled) throw refusal("AccountDisabled");
  await requirePasswordLogin(user, now);

  if (await hasFactor(getDb(), user.id))
    return { pending: await startPendingLogin(user, origin.client, now), userId: user.id };
  await resetLoginTries(users, origin);
  return recordLogin(user, place, { proof: "password" }, { origin, now });
}

/** What the audit trail says about a login. */
function loginText(proof: Proof, signedOnWith: SignOnStrength | null): string {
  if (proof === "password") return "Logged in.";
  if (proof === "sign-on" || proof === "single-sign-on") return `Logged in by ${PROOF_NAMES[proof]}.`;
  const first = signedOnWith ? "by single sign-on, and " : "";
  return `Logged in ${first}with ${PROOF_NAMES[proof]} as second factor.`;
}

/** Records a login in the account, the audit trail and, where it is new, by mail to the owner. Staff without a factor are asked to add one. */
export async function recordLogin(
  user: UserRow,
  place: string | null,
  { proof, signedOnWith = null }: { proof: Proof; signedOnWith?: SignOnStrength | null },
  { origin, now }: { origin: LoginOrigin; now: Date },
): Promise<LoggedIn> {
  const newLogin = await findNewLogin(user, origin, now);
  await inTransaction(async (trx) => {
    await updateUser(trx, user.id, { ...(place === null && UNTRIED), lastLoginAt: now }, now);
    await noteLoginNetwork(trx, user.id, origin.network, now);
    const actor = { id: user.id, name: user.email, client: origin.client };
    const message = loginText(proof, signedOnWith);
    await recordAudit(trx, { actor, event: "account.logged-in", message, userId: user.id }, now);
    if (newLogin) await tellAboutNewLogin(trx, user, newLogin, now);
    if (isOneFactor(proof) && isStaff({ rights: await staffRightsOf(trx, user) }))
      await storeFactorAsked(trx, user.id, now);
  });
  return { id: user.id, sessionEpoch: user.sessionEpoch, proof, signedOnWith };
}

/**
 * Finishes a login that waited for the second factor, which the user has proved. Returns the account. Throws a PortalError when the login
 * was finished before.
 */
export async function finishLogin(
  pending: PendingLogin,
  proof: Proof,
  { origin, now = new Date() }: { origin: LoginOrigin; now?: Date },
): Promise<LoggedIn> {
  const { user, isSignOn } = pending;
  if (!(await endPendingLogin(pending, now))) throw new PortalError(PENDING_ENDED, { code: "factor.ended" });
  await resetLoginTries([user], origin);
  const how = { proof, signedOnWith: isSignOn ? ("one-factor" as const) : null };
  return recordLogin(user, await findKnownPlace(user, origin, now), how, { origin, now });
}
