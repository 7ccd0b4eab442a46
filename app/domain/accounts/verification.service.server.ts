import { recordAudit } from "~/domain/audit/audit.service.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { verifyEmailMail, verifyForMergeMail } from "~/domain/mail/templates/accounts.server";
import { getEnv } from "~/lib/env.server";
import { DAY } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { getDb, type Trx } from "~db/connection.server";
import { consumeToken, findToken, issueToken } from "~db/repositories/tokens.server";
import { findUserById, updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { type SessionUser } from "./session-user";

const LIFETIME_DAYS = 7;

/** How the audit trail tells that the link was sent again. */
export const VERIFICATION_SENT = {
  event: "account.verification-sent",
  message: "Sent the link that confirms the e-mail address again.",
} as const;

/** Queues the e-mail with the link that proves the address, in the caller's transaction. `toMail` writes it for a new account. */
export async function queueVerification(
  trx: Trx,
  user: { id: number; email: string; firstName: string },
  now = new Date(),
  toMail = verifyEmailMail,
): Promise<void> {
  const token = await issueToken(
    trx,
    { purpose: "verify-email", email: user.email, userId: user.id, lifetimeMs: LIFETIME_DAYS * DAY },
    now,
  );
  const url = getEnv().publicUrl + paths.verifyEmail(token);
  const mail = toMail({ name: user.firstName, url, validFor: `${LIFETIME_DAYS} days` });
  await queueMail(trx, { dedupeKey: `verify-email:${user.id}:${now.toISOString()}`, to: user.email, mail }, now);
}

/** Sends the own link again; where it allows to merge accounts, the message says so. Out: false when the address is verified already. */
export const resendVerification = (
  { id: userId, username, hasSeveralAccounts, actor }: SessionUser,
  now = new Date(),
): Promise<boolean> => {
  const toMail: typeof verifyEmailMail = (data) =>
    hasSeveralAccounts ? verifyForMergeMail({ ...data, username }) : verifyEmailMail(data);
  return inTransaction(async (trx) => {
    const user = await findUserById(trx, userId);
    if (!user || user.emailVerifiedAt !== null) return false;
    await queueVerification(trx, user, now, toMail);
    await recordAudit(trx, { actor, ...VERIFICATION_SENT, userId }, now);
    return true;
  });
};

/** The address that a link would verify, or null when the link is unknown, used or too old. Changes nothing. */
export async function findVerification(token: string, now = new Date()): Promise<{ email: string } | null> {
  const row = await findToken(getDb(), "verify-email", token, now);
  return row && { email: row.email };
}

/** Uses a verification link. Out: false when it is unknown, used, too old, or the account's address has changed since. */
export const verifyEmail = (token: string, now = new Date()): Promise<boolean> =>
  inTransaction(async (trx) => {
    const row = await findToken(trx, "verify-email", token, now);
    const user = row?.userId ? await findUserById(trx, row.userId) : null;
    if (!row || !user || user.email !== row.email || !(await consumeToken(trx, row.id, now))) return false;
    await updateUser(trx, user.id, { emailVerifiedAt: now }, now);
    const actor = { id: user.id, name: user.email };
    await recordAudit(
      trx,
      { actor, event: "account.email-verified", message: "Verified the e-mail address.", userId: user.id },
      now,
    );
    return true;
  });
