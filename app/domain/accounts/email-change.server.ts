import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { emailChangedMail, verifyNewEmailMail } from "~/domain/mail/templates/accounts.server";
import { type Trx } from "~db/connection.server";
import { endTokensOf } from "~db/repositories/tokens.server";
import { lockEmail, updateUser, type UserRow } from "~db/repositories/users.server";
import { demandFreeEmailFor } from "./free-email.server";
import { queueVerification } from "./verification.service.server";

/**
 * Gives an account another e-mail address, in the caller's transaction: it is unverified until the link in the message to it is used,
 * what was sent to the old address ends, and the old address gets a notice. A user name that was the address follows it.
 * In: the account as it is stored, the address in small letters. Throws a PortalError at `email` when another account has it.
 */
export async function changeEmail(
  trx: Trx,
  user: UserRow,
  { email, firstName, actor }: { email: string; firstName: string; actor: Actor },
  now = new Date(),
): Promise<void> {
  await lockEmail(trx, email);
  const isFreeName = await demandFreeEmailFor(trx, user.id, email);
  const username = isFreeName && user.username === user.email ? email : user.username;
  await updateUser(trx, user.id, { email, username, emailVerifiedAt: null }, now);
  await endTokensOf(trx, user.id, ["verify-email", "reset-password", "change-password"], now);
  const message = `Changed the e-mail address from ${user.email} to ${email}.`;
  await recordAudit(trx, { actor, event: "account.email-changed", message, userId: user.id }, now);
  await queueVerification(trx, { id: user.id, email, firstName }, now, verifyNewEmailMail);
  const mail = emailChangedMail({ name: firstName, email, at: now });
  await queueMail(trx, { dedupeKey: `email-changed:${user.id}:${now.toISOString()}`, to: user.email, mail }, now);
}
