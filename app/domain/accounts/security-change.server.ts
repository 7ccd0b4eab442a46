import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { NO_CLIENT } from "~/domain/security-events/client";
import { recordSecurityEvent } from "~/domain/security-events/security-events.service.server";
import { formatDateTime } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { inTurn } from "~/lib/in-turn.server";
import { getDb, type Trx } from "~db/connection.server";
import { forgetPlace } from "~db/repositories/login-places.server";
import { findUserById, updateUser, type UserRow } from "~db/repositories/users.server";
import { countFailure, isShut } from "./account-lock.server";
import { requireNoImpersonation } from "./administration/impersonation.policy";
import { findSessionPlace, SESSION_PLACE } from "./login-places.server";
import { LOGIN_MESSAGES } from "./login.service.server";
import { preparePassword, setPassword, weaknessOf } from "./password-change.service.server";
import { hashAnswer, verifyPassword } from "./passwords.server";
import { prepareSecurityQuestion } from "./security-question.server";
import { type SessionUser } from "./session-user";
import { type SecurityChange } from "./user-details.schema";

/** The input of `storeSecurity`. */
export interface PreparedSecurity {
  /** The hash of the password that allowed the change. */
  currentHash: string;
  passwordHash: string | null;
  question: { securityQuestion: string; securityAnswerHash: string } | null;
}

/** Prepares a security question. A user may keep their own question even when the configuration no longer offers it. */
async function prepareQuestion(stored: UserRow, question: SecurityChange["question"]) {
  if (!question) return null;
  const { securityQuestion, securityAnswer } = question;
  return securityQuestion === stored.securityQuestion
    ? { securityQuestion, securityAnswerHash: await hashAnswer(securityAnswer) }
    : prepareSecurityQuestion(securityQuestion, securityAnswer);
}

const wrongPassword = () =>
  new PortalError("This is not the password of your account. Please enter it again.", {
    code: "InvalidPassword",
    field: "currentPassword",
  });

/**
 * Returns until when passwords are not compared, and what the user can do about it. An administrator's lock is rare here, because it has
 * ended the session.
 */
const lockedText = (user: UserRow | null): string =>
  user?.adminLockedAt === null && user.lockedUntil !== null
    ? `After several wrong passwords no password is compared until ${formatDateTime(user.lockedUntil)} UTC. You can also log out and reset your password.`
    : LOGIN_MESSAGES.AccountLocked;

/** Throws AccountLocked when no password is compared now. Only wrong passwords in open sessions count here, not those at the login. */
async function requireOpenSession(id: number, now: Date): Promise<{ user: UserRow; place: string | null }> {
  const [user, place] = [await findUserById(getDb(), id), await findSessionPlace(id, now)];
  if (!user || isShut(user, place, now))
    throw new PortalError(lockedText(user), { code: "AccountLocked", field: "currentPassword" });
  return { user, place };
}

/**
 * Checks the current password in an open session. Throws a PortalError for the field `currentPassword` when it is wrong. Five wrong
 * passwords in a row lock the account for its open sessions, too, so that a stranger at an unattended session cannot guess more often than
 * at the login.
 */
export const requireCurrentPassword = ({ id, actor }: SessionUser, password: string, now: Date): Promise<void> =>
  inTurn(`session ${id}`, async () => {
    const client = actor.client ?? NO_CLIENT;
    const { user, place } = await requireOpenSession(id, now);
    if (await verifyPassword(user.passwordHash, password)) return forgetPlace(getDb(), user.id, SESSION_PLACE);
    await countFailure(user.id, place, { from: "in an open session", client }, now);
    const about = { userId: user.id, actorName: user.email, client, detail: "The current password was wrong." };
    await recordSecurityEvent(getDb(), { event: "password.refused", ...about });
    await requireOpenSession(user.id, now);
    throw wrongPassword();
  });

/** Returns why a new password is too weak for this user, or null. Needs no current password. */
export async function weaknessFor({ id }: SessionUser, password: string): Promise<string | null> {
  const stored = await findUserById(getDb(), id);
  return stored && weaknessOf(password, stored);
}

/**
 * Checks the current password, and hashes the new password and the security answer. Slow: must not be called inside a transaction. Throws a
 * PortalError for the field `currentPassword`, `password` or `securityQuestion`, or a PortalError (403) when an administrator acts as the
 * user.
 */
export async function prepareSecurity(
  user: SessionUser,
  stored: UserRow,
  { currentPassword, password, question }: SecurityChange,
  now: Date,
): Promise<PreparedSecurity> {
  requireNoImpersonation(user, "the password or the security question");
  await requireCurrentPassword(user, currentPassword, now);
  return {
    currentHash: stored.passwordHash,
    passwordHash: password === null ? null : await preparePassword(password, stored),
    question: await prepareQuestion(stored, question),
  };
}

/**
 * Stores a new password or security question, in the caller's transaction. Returns the new session epoch when the password changes, else
 * null.
 *
 * @param stored The account as it was before this transaction changed it.
 */
export async function storeSecurity(
  trx: Trx,
  stored: UserRow,
  { currentHash, passwordHash, question, actor, now }: PreparedSecurity & { actor: Actor; now: Date },
): Promise<number | null> {
  if (stored.passwordHash !== currentHash) throw wrongPassword();
  if (question) {
    await updateUser(trx, stored.id, question, now);
    const entry = {
      event: "account.security-question-changed",
      message: "Changed the security question or its answer.",
    };
    await recordAudit(trx, { actor, ...entry, userId: stored.id }, now);
  }
  return passwordHash === null ? null : setPassword(trx, stored, { passwordHash, actor, now });
}
