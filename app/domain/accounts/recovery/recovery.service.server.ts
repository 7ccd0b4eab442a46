import { setTimeout as sleep } from "node:timers/promises";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { countTry, forgetTries } from "~/domain/limits/tries.server";
import { guardedMail } from "~/domain/mail/compose.server";
import { queueMail, queueOwnMail } from "~/domain/mail/queue.service.server";
import { resetRefusedMail } from "~/domain/mail/templates/locks.server";
import { resetCodeMail } from "~/domain/mail/templates/recovery.server";
import { getConfig } from "~/lib/config.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { getDb, type Trx } from "~db/connection.server";
import { countToOwner } from "~db/repositories/held-mails.server";
import {
  endResetCodes,
  isRecoverable,
  listRecoverableAccounts,
  listResetCodes,
  MAX_TRIES,
  takeAnswerTry,
} from "~db/repositories/reset-codes.server";
import { consumeToken, hashOf, issueToken } from "~db/repositories/tokens.server";
import { findUserById, updateUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { type LoginOrigin } from "../login-origin";
import { countCodeRequest } from "../login-throttle.server";
import { verifyAnswer } from "../passwords.server";
import { grantPasswordChange, requireUnlocked } from "./change-permit.service.server";
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
  return (await countToOwner(trx, email, since, { only: ["reset-code"] })) < UNCONFIRMED_A_DAY;
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

/** An administrator has locked the account: its owner is told so, and gets no code that could not be used. */
async function sendRefusal(trx: Trx, { id, firstName, username }: UserRow, now: Date): Promise<void> {
  const mail = resetRefusedMail({ name: firstName, username, url: getConfig().contactLink });
  await queueOwnMail(trx, id, { dedupeKey: `reset-refused:${id}:${now.toISOString()}`, mail }, now);
}

async function send(email: string, origin: LoginOrigin, now: Date): Promise<void> {
  await countCodeRequest(email, await listRecoverableAccounts(getDb(), email), origin);
  await inTransaction(async (trx) => {
    const users = await listRecoverableAccounts(trx, email);
    const open = users.filter(({ adminLockedAt }) => adminLockedAt === null);
    await endResetCodes(trx, open, now);
    for (const user of users)
      if (user.adminLockedAt !== null) await sendRefusal(trx, user, now);
      else if (await mayHaveCode(trx, user, now)) await sendCode(trx, user, users.length > 1, now);
  });
}

/**
 * Sends a reset code for the open account that has this e-mail, and where several imported ones share it for each of them, in a message
 * that names the account; they replace older ones. An address that is not confirmed gets a few a day. Otherwise nothing happens, in the same time. Wrong passwords do not stop it. Throws a
 * PortalError (429) when codes were asked for too often.
 */
export async function requestResetCode(email: string, origin: LoginOrigin, now = new Date()): Promise<void> {
  const [outcome] = await Promise.allSettled([send(email, origin, now), sleep(LEAST_TIME)]);
  if (outcome.status === "rejected") throw outcome.reason;
}

interface Check {
  email: string;
  code: string;
  answer: string;
}

/**
 * The account and the code, when it is a right one; its tries may be used up. A wrong code takes nobody's tries: of 128 random bits none is
 * guessed, and a stranger could use up the owner's.
 */
async function demandCode({ email, code }: Check, now: Date) {
  const codes = await listResetCodes(getDb(), email, now);
  const sent = codes.find(({ tokenHash }) => tokenHash === hashOf(code));
  const user = sent?.userId ? await findUserById(getDb(), sent.userId) : null;
  if (sent && user?.email === email && isRecoverable(user)) return { sent, user };
  throw refusal("InvalidResetCode");
}

/** Compares the answer. Whoever reads the mail gets new codes, but no more answers than the account has in a day. */
async function demandAnswer({ id, securityQuestion, securityAnswerHash }: UserRow, answer: string, triesTaken: number) {
  if (!securityQuestion || !securityAnswerHash) return;
  await countTry("security-answer", id);
  if (await verifyAnswer(securityAnswerHash, answer)) return forgetTries(getDb(), "security-answer", id);
  throw refusal(triesTaken < MAX_TRIES ? "InvalidSecurityAnswer" : "InvalidResetCode");
}

async function check(given: Check, now: Date): Promise<string> {
  const { sent, user } = await demandCode(given, now);
  requireUnlocked(user);
  const triesTaken = await takeAnswerTry(getDb(), sent.id);
  if (triesTaken === null) throw refusal("InvalidResetCode");
  await demandAnswer(user, given.answer, triesTaken);
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
 * Throws a PortalError whose code is AccountLocked, InvalidSecurityAnswer or InvalidResetCode, or a 429 after ten answers in a day. Five
 * wrong answers end the code, and the fifth says so. AccountLocked is an administrator's lock, of which only who has the code is told.
 * The link came through the e-mail, so the address counts as verified.
 */
export async function checkResetCode(given: Check, now = new Date()): Promise<string> {
  const [outcome] = await Promise.allSettled([check(given, now), sleep(LEAST_TIME)]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
