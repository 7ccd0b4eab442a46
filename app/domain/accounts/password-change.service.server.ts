import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { passwordChangedMail } from "~/domain/mail/templates/recovery.server";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { raiseForNewPassword } from "~db/repositories/account-access.server";
import { forgetPlaces } from "~db/repositories/login-places.server";
import { endSessionsOf } from "~db/repositories/sessions.server";
import { endTokensOf } from "~db/repositories/tokens.server";
import { afterCommit } from "~db/transaction.server";
import { removeFirstPassword } from "./administration/first-password.server";
import { newPasswordProblem } from "./new-password.server";
import { hashPassword, verifyPassword } from "./passwords.server";

export const SAME_PASSWORD = "The new password must differ from the current one.";

interface PasswordOwner {
  firstName: string;
  lastName: string;
  company: string;
  email: string;
  /** The hash of the current password. Given only where the new one must differ from it. */
  passwordHash?: string;
}

/**
 * Returns why a new password is too weak for this person, or null. Does not compare it with the current one, so that somebody who does not
 * know that one cannot find it out. Slow: must not be called inside a transaction.
 */
export function weaknessOf(password: string, owner: Omit<PasswordOwner, "passwordHash">): Promise<string | null> {
  const { firstName, lastName, company, email } = owner;
  const own = [firstName, lastName, `${firstName} ${lastName}`, `${lastName} ${firstName}`, company, email];
  return newPasswordProblem(password, own);
}

/**
 * Checks a new password against the rules and returns its hash for `setPassword`. Slow: must not be called inside a transaction. Throws a
 * PortalError for `field`.
 */
export async function preparePassword(password: string, owner: PasswordOwner, field = "password"): Promise<string> {
  const { passwordHash } = owner;
  const problem = await weaknessOf(password, owner);
  const isSame = !problem && passwordHash !== undefined && (await verifyPassword(passwordHash, password));
  if (problem || isSame) throw new PortalError(problem ?? SAME_PASSWORD, { code: "account.password", field });
  return hashPassword(password);
}

interface NewPassword {
  /** Returned by `preparePassword`. */
  passwordHash: string;
  actor: Actor;
  now?: Date;
}

/**
 * Sets the new password of an account, in the caller's transaction. Raises the session epoch, which ends every session, including the
 * caller's. Resets wrong tries and the locks that they caused, forgets known browsers and networks, and ends links and codes. Withdraws an
 * unconfirmed change of the email address, because somebody else may have requested it. Removes the file with the password of the first
 * administrator when it was theirs. Queues a notice to `user.email`. Returns the new session epoch, with which the caller can continue this
 * browser's session (`startSession`).
 */
export async function setPassword(
  trx: Trx,
  user: { id: number; username: string; email: string; firstName: string },
  { passwordHash, actor, now = new Date() }: NewPassword,
): Promise<number> {
  const sessionEpoch = await raiseForNewPassword(trx, user.id, passwordHash, now);
  await endSessionsOf(trx, [user.id], "password", { now });
  await forgetPlaces(trx, user.id);
  await endTokensOf(trx, user.id, ["reset-password", "change-password", "change-email", "login-as-user"], now);
  const entry = { actor, event: "account.password-changed", message: "Changed the password.", userId: user.id };
  await recordAudit(trx, entry, now);
  afterCommit(trx, () => removeFirstPassword(user.username));
  const url = getEnv().publicUrl + paths.forgotPassword;
  const mail = passwordChangedMail({ name: user.firstName, username: user.username, at: now, url });
  await queueOwnMail(trx, user.id, { dedupeKey: `password-changed:${user.id}:${sessionEpoch}`, mail }, now);
  return sessionEpoch;
}
