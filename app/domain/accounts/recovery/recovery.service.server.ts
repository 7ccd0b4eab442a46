import { setTimeout as sleep } from "node:timers/promises";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { guardedMail } from "~/domain/mail/compose.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { resetCodeMail } from "~/domain/mail/templates/recovery.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { getDb, type Trx } from "~db/connection.server";
import { countToOwner } from "~db/repositories/held-mails.server";
import { endResetCodes, listRecoverableAccounts, listResetCodes, takeTry } from "~db/repositories/reset-codes.server";
import { consumeToken, hashOf, issueToken } from "~db/repositories/tokens.server";
import { findUserById, updateUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { countFailure, isLocked } from "../account-lock.server";
import { grantPasswordChange } from "./change-permit.service.server";
import { verifyAnswer } from "../passwords.server";
import { RECOVERY_MESSAGES, type RecoveryFailure } from "./recovery-messages";

const MINUTE = 60_000;
export const CODE_MINUTES = 60;
const CODE_BYTES = 16;
/** An answer takes at least so long, in milliseconds, so that its time does not tell whether there is such an account. */
const LEAST_TIME = 300;

/** Codes a day for an account whose address is not confirmed: it may be a stranger's, who is to get no more of them. */
const UNCONFIRMED_A_DAY = 10;

/** Whether a further code may go to this account's address. */
async function mayHaveCode(trx: Trx, { email, emailVerifiedAt }: UserRow, now: Date): Promise<boolean> {
  if (emailVerifiedAt !== null) return true;
  const since = new Date(now.getTime() - DAY);
  return (await countToOwner(trx, email, since, { only: "reset-code" })) < UNCONFIRMED_A_DAY;
}

const refusal = (failure: RecoveryFailure) => new PortalError(RECOVERY_MESSAGES[failure], { code: failure });

async function sendCode(trx: Trx, user: UserRow, isOneOfSeveral: boolean, now: Date): Promise<void> {
  const { id: userId, email, username, company, firstName } = user;
  const token = { purpose: "reset-password", email, userId } as const;
  const code = await issueToken(trx, { ...token, lifetimeMs: CODE_MINUTES * MINUTE, bytes: CODE_BYTES }, now);
  const url = getEnv().publicUrl + paths.resetCodeLink(code, email);
  const account = { username, company, isOneOfSeveral };
  const composed = resetCodeMail({ name: firstName, account, code, url, validFor: `${CODE_MINUTES} minutes` });
  const mail = user.emailVerifiedAt === null ? guardedMail(composed) : composed;
  await queueMail(trx, { dedupeKey: `reset-code:${hashOf(code)}`, to: email, mail }, now);
  const entry = { event: "account.reset-code-sent", message: "Sent a password reset code.", userId };
  await recordAudit(trx, { actor: { id: null, name: email }, ...entry }, now);
}

/**
 * Sends a reset code for the open account that has this e-mail, and where several imported ones share it for each of them, in a message
 * that names the account; they replace older ones. An address that is not confirmed gets a few a day. Otherwise nothing happens, in the same time. A locked account gets its code, too:
 * only its owner, who has the code, learns of the lock.
 */
export async function requestResetCode(email: string, now = new Date()): Promise<void> {
  const work = inTransaction(async (trx) => {
    await endResetCodes(trx, email, now);
    const users = await listRecoverableAccounts(trx, email);
    for (const user of users) if (await mayHaveCode(trx, user, now)) await sendCode(trx, user, users.length > 1, now);
  });
  await Promise.all([work, sleep(LEAST_TIME)]);
}

const isOpen = (user: UserRow) => user.isDisabled === 0 && user.mergedInto === null;

interface Check {
  email: string;
  code: string;
  answer: string;
}

/** The account and the code, when it is a right one; its tries may be used up. A wrong code takes a try of each that was sent. */
async function demandCode({ email, code }: Check, now: Date) {
  const codes = await listResetCodes(getDb(), email, now);
  const sent = codes.find(({ tokenHash }) => tokenHash === hashOf(code));
  const user = sent?.userId ? await findUserById(getDb(), sent.userId) : null;
  if (sent && user?.email === email && isOpen(user)) return { sent, user };
  for (const { id } of codes) await takeTry(getDb(), id);
  throw refusal("InvalidResetCode");
}

async function check(given: Check, now: Date): Promise<string> {
  const { sent, user } = await demandCode(given, now);
  if (isLocked(user, now)) throw refusal("AccountLocked");
  if (!(await takeTry(getDb(), sent.id))) throw refusal("InvalidResetCode");
  const { securityQuestion, securityAnswerHash } = user;
  if (securityQuestion && securityAnswerHash && !(await verifyAnswer(securityAnswerHash, given.answer))) {
    throw refusal((await countFailure(user.id, now)) ? "AccountLocked" : "InvalidSecurityAnswer");
  }
  return inTransaction(async (trx) => {
    if (!(await consumeToken(trx, sent.id, now))) throw refusal("InvalidResetCode");
    if (user.emailVerifiedAt === null) await updateUser(trx, user.id, { emailVerifiedAt: now }, now);
    const actor = { id: user.id, name: user.email };
    await recordAudit(
      trx,
      { actor, event: "account.reset-code-accepted", message: "Entered the password reset code.", userId: user.id },
      now,
    );
    return grantPasswordChange(trx, user, now);
  });
}

/**
 * Checks a reset code and the security answer, and uses the code up. Out: the permit for one change of the password.
 * Throws a PortalError whose code is AccountLocked, InvalidSecurityAnswer or InvalidResetCode. Five wrong tries end the code, and wrong
 * answers count towards the account's lock like wrong passwords: who reads the mail cannot go on guessing with new codes. Who has the
 * code is told of the lock, by the answer that locks and while it lasts.
 * The link came through the e-mail, so the address counts as verified.
 */
export async function checkResetCode(given: Check, now = new Date()): Promise<string> {
  const [outcome] = await Promise.allSettled([check(given, now), sleep(LEAST_TIME)]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
