import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { passwordChangedMail } from "~/domain/mail/templates/recovery.server";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { raiseForNewPassword } from "~db/repositories/account-access.server";
import { forgetPlaces } from "~db/repositories/login-places.server";
import { endTokensOf } from "~db/repositories/tokens.server";
import { newPasswordProblem } from "./new-password.server";
import { hashPassword, verifyPassword } from "./passwords.server";

export const SAME_PASSWORD = "The new password must differ from the current one.";

interface PasswordOwner {
  firstName: string;
  lastName: string;
  company: string;
  email: string;
  /** Of the current password, where it must not be chosen again. */
  passwordHash?: string;
}

/**
 * Checks a new password against the rules and hashes it; slow, so never inside a transaction. Out: what `setPassword` stores.
 * Throws a PortalError at `field`.
 */
export async function preparePassword(password: string, owner: PasswordOwner, field = "password"): Promise<string> {
  const { firstName, lastName, company, email, passwordHash } = owner;
  const own = [firstName, lastName, `${firstName} ${lastName}`, `${lastName} ${firstName}`, company, email];
  const problem = await newPasswordProblem(password, own);
  const isSame = !problem && passwordHash !== undefined && (await verifyPassword(passwordHash, password));
  if (problem || isSame) throw new PortalError(problem ?? SAME_PASSWORD, { code: "account.password", field });
  return hashPassword(password);
}

interface NewPassword {
  /** Made by `preparePassword`. */
  passwordHash: string;
  actor: Actor;
  now?: Date;
}

/**
 * Gives an account its new password, in the caller's transaction: the session epoch rises, so every session ends, also the caller's;
 * wrong tries, locks because of them and the places of earlier logins are forgotten, links and codes used up, an e-mail address that is still to be confirmed is withdrawn (whoever asked
 * for it may have been somebody else), and a notice goes to `user.email`.
 * Out: the new session epoch, for `startSession` where this browser's session shall go on.
 */
export async function setPassword(
  trx: Trx,
  user: { id: number; username: string; email: string; firstName: string },
  { passwordHash, actor, now = new Date() }: NewPassword,
): Promise<number> {
  const sessionEpoch = await raiseForNewPassword(trx, user.id, passwordHash, now);
  await forgetPlaces(trx, user.id);
  await endTokensOf(trx, user.id, ["reset-password", "change-password", "change-email", "login-as-user"], now);
  const entry = { actor, event: "account.password-changed", message: "Changed the password.", userId: user.id };
  await recordAudit(trx, entry, now);
  const url = getEnv().publicUrl + paths.forgotPassword;
  const mail = passwordChangedMail({ name: user.firstName, username: user.username, at: now, url });
  await queueOwnMail(trx, user.id, { dedupeKey: `password-changed:${user.id}:${sessionEpoch}`, mail }, now);
  return sessionEpoch;
}
