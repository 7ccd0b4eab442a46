import { type Client } from "~/domain/security-events/client";
import { PortalError } from "~/lib/errors";
import { getDb, type DbOrTrx, type Trx } from "~db/connection.server";
import { consumeToken, endTokensOf, findEndedToken, findToken, issueToken } from "~db/repositories/tokens.server";
import { findUserById, updateUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { preparePassword, setPassword, weaknessOf } from "../password-change.service.server";
import { prepareSecurityQuestion } from "../security-question.server";
import { requirePasswordLogin } from "../single-sign-on/staff-passwords.server";
import { RECOVERY_MESSAGES } from "./recovery-messages";
import { type PasswordChange } from "./recovery.schema";

const LIFETIME = 30 * 60_000;

/**
 * Lets somebody who has just proved to be the owner change the password once within 30 minutes. The proof is the reset code with the
 * security answer, or the password at login. Returns the permit, which replaces older ones.
 */
export async function grantPasswordChange(
  trx: Trx,
  { id, email }: { id: number; email: string },
  now = new Date(),
): Promise<string> {
  await endTokensOf(trx, id, ["change-password"], now);
  return issueToken(trx, { purpose: "change-password", email, userId: id, lifetimeMs: LIFETIME }, now);
}

/** Returns whether the password of an account was made by the portal or by somebody else, so that its owner must choose another. */
export const hasGivenPassword = async (userId: number): Promise<boolean> =>
  (await findUserById(getDb(), userId))?.mustChangePassword === true;

/** Grants the permit after a login, in a transaction of its own. */
export const grantAtLogin = (user: { id: number; email: string }, now = new Date()): Promise<string> =>
  inTransaction((trx) => grantPasswordChange(trx, user, now));

/** Ends the permits of an account. */
export const withdrawPasswordChange = async (userId: number, now = new Date()): Promise<void> => {
  await inTransaction((trx) => endTokensOf(trx, userId, ["change-password"], now));
};

/** A valid permit with the account whose password it changes. */
export interface ChangePermit {
  tokenId: number;
  user: UserRow;
}

async function find(db: DbOrTrx, permit: string, now: Date): Promise<ChangePermit | null> {
  const token = await findToken(db, "change-password", permit, now);
  const user = token?.userId ? await findUserById(db, token.userId) : null;
  if (!token || !user || user.isDisabled || user.mergedInto !== null || user.email !== token.email) return null;
  return { tokenId: token.id, user };
}

/** Returns what the page needs to know about a permit, or null when the permit is no longer valid. */
export async function findPasswordChange(
  permit: string,
  now = new Date(),
): Promise<{ userId: number; username: string; asksQuestion: boolean } | null> {
  const found = await find(getDb(), permit, now);
  return found && { userId: found.user.id, username: found.user.username, asksQuestion: !hasQuestion(found.user) };
}

/** Returns why a new password is too weak for the account of a permit, or null, also when the permit is no longer valid. */
export async function weaknessByPermit(permit: string, password: string, now = new Date()): Promise<string | null> {
  const found = await find(getDb(), permit, now);
  return found && weaknessOf(password, found.user);
}

/** Throws a PortalError when an administrator has locked the account. A lock because of wrong passwords does not stop a recovery. */
export function requireUnlocked({ adminLockedAt }: UserRow): void {
  if (adminLockedAt !== null) throw new PortalError(RECOVERY_MESSAGES.AccountLocked, { code: "AccountLocked" });
}

/**
 * Returns why a permit is no longer valid: "locked" when an administrator has locked the account, "over" when the permit was used or has
 * expired. Only for the person who had the permit.
 */
export async function whyPermitEnded(permit: string): Promise<"locked" | "over"> {
  const ended = await findEndedToken(getDb(), "change-password", permit);
  const user = ended?.userId ? await findUserById(getDb(), ended.userId) : null;
  return user && user.adminLockedAt !== null ? "locked" : "over";
}

const hasQuestion = (user: UserRow) => user.securityQuestion !== null && user.securityAnswerHash !== null;

/**
 * Changes the password that a permit is for and uses up the permit. Also stores the first security question when the account has none.
 * Returns the account and its new session epoch, or null when the permit is no longer valid. Throws a PortalError for the field that is not
 * valid, or when an administrator has locked the account.
 */
export async function changePassword(
  permit: string,
  form: PasswordChange,
  client: Client,
  now = new Date(),
): Promise<{ id: number; sessionEpoch: number } | null> {
  const before = await find(getDb(), permit, now);
  if (!before) return null;
  requireUnlocked(before.user);
  await requirePasswordLogin(before.user, now);
  const passwordHash = await preparePassword(form.password, before.user);
  const question = hasQuestion(before.user)
    ? null
    : await prepareSecurityQuestion(form.securityQuestion, form.securityAnswer);

  return inTransaction(async (trx) => {
    const found = await find(trx, permit, now);
    if (!found || !(await consumeToken(trx, found.tokenId, now))) return null;
    const { user } = found;
    requireUnlocked(user);
    const actor = { id: user.id, name: user.email, client };
    if (question && !hasQuestion(user)) await updateUser(trx, user.id, question, now);
    const sessionEpoch = await setPassword(trx, user, { passwordHash, actor, now });
    return { id: user.id, sessionEpoch };
  });
}
