import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { PASSWORD_ALLOWED_HOURS } from "./staff-passwords.server";

/**
 * Lets a member of staff log in with the password for a day although staff log in by single sign-on, for when the identity provider does
 * not work. Returns until when. Only the command line calls this.
 *
 * @param reason Why; it is kept in the audit trail.
 */
export async function allowPassword(userId: number, actor: Actor, reason: string, now = new Date()): Promise<Date> {
  const until = new Date(now.getTime() + PASSWORD_ALLOWED_HOURS * 3_600_000);
  await inTransaction(async (trx) => {
    await updateUser(trx, userId, { passwordAllowedUntil: until }, now);
    const message = `Allowed the password for ${PASSWORD_ALLOWED_HOURS} hours beside single sign-on: ${reason}`;
    await recordAudit(trx, { actor, event: "account.password-allowed", message, userId }, now);
  });
  return until;
}
