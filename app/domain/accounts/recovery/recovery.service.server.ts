import { setTimeout as sleep } from "node:timers/promises";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { consumeTry, fromNetwork, resetTries } from "~/domain/limits/tries.server";
import { guardedMail } from "~/domain/mail/compose.server";
import { queueMail, queueOwnMail } from "~/domain/mail/queue.service.server";
import { resetRefusedMail } from "~/domain/mail/templates/locks.server";
import { resetCodeMail, type ResetOccasion } from "~/domain/mail/templates/recovery.server";
import { type Client } from "~/domain/security-events/client";
import { recordSecurityEvent } from "~/domain/security-events/security-events.service.server";
import { getConfig } from "~/lib/config.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { isPortalError, PortalError } from "~/lib/errors";
import { networkOf } from "~/lib/networks.server";
import { serverPaths } from "~/lib/server-paths.server";
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
import { consumeCodeRequestTry } from "../login-throttle.server";
import { verifyAnswer } from "../passwords.server";
import { requirePasswordLogin, STAFF_PASSWORD } from "../single-sign-on/staff-passwords.server";
import { grantPasswordChange, requireUnlocked } from "./change-permit.service.server";
import { RECOVERY_MESSAGES, type RecoveryFailure } from "./recovery-messages";
import { findRecoveryQuestion, type RecoveryQuestion } from "./recovery-question.server";

const MINUTE = 60_000;
export const CODE_MINUTES = 60;
/** How many days the first code of an account can be used that was made for its person. */
export const FIRST_CODE_DAYS = 7;
const CODE_BYTES = 16;
/** The minimum duration of an answer in milliseconds, so that its time does not show whether an account exists. */
const LEAST_TIME = 300;

/** The maximum number of codes a day for an account with an unconfirmed address, which may belong to a stranger. */
const UNCONFIRMED_A_DAY = 10;

/** Returns whether another code may be sent to the account's address. */
async function mayHaveCode(trx: Trx, { email, emailVerifiedAt }: UserRow, now: Date): Promise<boolean> {
  if (emailVerifiedAt !== null) return true;
  const since = new Date(now.getTime() - DAY);
  return (await countToOwner(trx, email, since, { only: ["reset-code"] })) < UNCONFIRMED_A_DAY;
}

const refusal = (failure: RecoveryFailure) => new PortalError(RECOVERY_MESSAGES[failure], { code: failure });

async function sendCode(
  trx: Trx,
  user: UserRow,
  { isOneOfSeveral, occasion }: { isOneOfSeveral: boolean; occasion: ResetOccasion },
  now: Date,
): Promise<void> {
  const { id: userId, email, username, company, firstName } = user;
  const token = { purpose: "reset-password", email, userId } as const;
  const [lifetimeMs, validFor] =
    occasion === "created"
      ? [FIRST_CODE_DAYS * DAY, `${FIRST_CODE_DAYS} days`]
      : [CODE_MINUTES * MINUTE, `${CODE_MINUTES} minutes`];
  const code = await issueToken(trx, { ...token, lifetimeMs, bytes: CODE_BYTES }, now);
  const url = getEnv().publicUrl + serverPaths.resetCodeLink(code, email);
  const account = { username, company, isOneOfSeveral };
  const composed = resetCodeMail({ occasion, name: firstName, account, code, url, validFor });
  const mail = user.emailVerifiedAt === null ? guardedMail(composed) : composed;
  await queueMail(trx, { dedupeKey: `reset-code:${hashOf(code)}`, to: email, mail }, now);
}

/** The event of a reset code or a link that was sent, whoever asked for it. */
export const RESET_CODE_SENT = "account.reset-code-sent";

/** Returns whether nobody has logged in to an account that was made for its person, so that nobody knows a password of it. */
export const awaitsFirstPassword = ({ mustChangePassword, lastLoginAt }: UserRow): boolean =>
  mustChangePassword && lastLoginAt === null;

/** Counts a link that a user administrator sends, together with the codes that the person asks for. Throws a PortalError (429). */
export async function consumeResetLinkTry(id: number): Promise<void> {
  const user = await findUserById(getDb(), id);
  if (user) await consumeTry("recovery-account", user.email);
}

const TOO_MANY_LINKS = `The address is not confirmed, and ${UNCONFIRMED_A_DAY} messages with a link were sent to it within a day. Please try again tomorrow.`;

/**
 * Sends the link with which the person of an open account chooses a password, in the transaction of a user administrator who has locked the
 * account. It replaces earlier codes of the account. Throws a PortalError when an unconfirmed address had too many.
 */
export async function sendResetLink(trx: Trx, user: UserRow, now: Date): Promise<void> {
  if (!(await mayHaveCode(trx, user, now))) throw new PortalError(TOO_MANY_LINKS, { code: "account.send-reset-link" });
  const isOneOfSeveral = (await listRecoverableAccounts(trx, user.email)).length > 1;
  await endResetCodes(trx, [user], now);
  const occasion = awaitsFirstPassword(user) ? "created" : "sent";
  await sendCode(trx, user, { isOneOfSeveral, occasion }, now);
}

/** Tells the owner that an administrator has locked the account. A code could not be used. */
async function sendRefusal(trx: Trx, { id, firstName, username }: UserRow, now: Date): Promise<void> {
  const mail = resetRefusedMail({ name: firstName, username, url: getConfig().contactLink });
  await queueOwnMail(trx, id, { dedupeKey: `reset-refused:${id}:${now.toISOString()}`, mail }, now);
}

async function send(email: string, origin: LoginOrigin, now: Date): Promise<void> {
  await consumeCodeRequestTry(email, await listRecoverableAccounts(getDb(), email), origin);
  await inTransaction(async (trx) => {
    const users = await listRecoverableAccounts(trx, email);
    const open = users.filter(({ adminLockedAt }) => adminLockedAt === null);
    await endResetCodes(trx, open, now);
    const isOneOfSeveral = users.length > 1;
    const actor = { id: null, name: email, client: origin.client };
    for (const user of users)
      if (user.adminLockedAt !== null) await sendRefusal(trx, user, now);
      else if (await mayHaveCode(trx, user, now)) {
        await sendCode(trx, user, { isOneOfSeveral, occasion: "asked" }, now);
        const entry = { event: RESET_CODE_SENT, message: "Sent a password reset code.", userId: user.id };
        await recordAudit(trx, { actor, ...entry }, now);
      }
  });
}

/**
 * Sends a reset code for each open account with this email, and ends older codes. When several imported accounts share the email, each
 * message names its account. An unconfirmed address gets only a few codes a day. When there is no account, nothing is sent, but the answer
 * takes as long. A lock because of wrong passwords does not stop the codes. Throws a PortalError (429) when codes were requested too often.
 */
export async function requestResetCode(email: string, origin: LoginOrigin, now = new Date()): Promise<void> {
  const [outcome] = await Promise.allSettled([send(email, origin, now), sleep(LEAST_TIME)]);
  if (outcome.status === "rejected") throw outcome.reason;
}

/** A reset code that somebody entered for an email, with the question to answer. `enterResetCode` has counted it. */
export interface EnteredCode extends RecoveryQuestion {
  email: string;
  code: string;
  client: Client;
}

/**
 * Counts a reset code that somebody enters, and returns it with its question. Only such a code can be checked. Throws a PortalError (429)
 * after too many codes from one network, for one email or for all.
 */
export async function enterResetCode(email: string, code: string, client: Client): Promise<EnteredCode> {
  const network = networkOf(client.address);
  await consumeTry("reset-code-address", network);
  await consumeTry("reset-code-account", fromNetwork(email, network));
  return { email, code, client, ...(await findRecoveryQuestion(email, code)) };
}

/**
 * Returns the account and the stored code when the code is right, even if its tries are used up. Throws InvalidResetCode otherwise. A wrong
 * code uses up no tries: nobody can guess 128 random bits, and a stranger could use up the owner's tries.
 */
async function requireCode({ email, code }: EnteredCode, now: Date) {
  const codes = await listResetCodes(getDb(), email, now);
  const sent = codes.find(({ tokenHash }) => tokenHash === hashOf(code));
  const user = sent?.userId ? await findUserById(getDb(), sent.userId) : null;
  if (sent && user?.email === email && isRecoverable(user)) return { sent, user };
  throw refusal("InvalidResetCode");
}

/**
 * Compares the security answer and throws when it is wrong. The number of answers is limited for an account and day, because somebody who
 * can read the mailbox could get a new code for every few tries.
 */
async function requireAnswer(
  { id, securityQuestion, securityAnswerHash }: UserRow,
  answer: string,
  triesTaken: number,
) {
  if (!securityQuestion || !securityAnswerHash) return;
  await consumeTry("security-answer", id);
  if (await verifyAnswer(securityAnswerHash, answer)) return resetTries(getDb(), "security-answer", id);
  throw refusal(triesTaken < MAX_TRIES ? "InvalidSecurityAnswer" : "InvalidResetCode");
}

async function check(entered: EnteredCode, answer: string, now: Date): Promise<string> {
  const { sent, user } = await requireCode(entered, now);
  requireUnlocked(user);
  await requirePasswordLogin(user, now);
  const triesTaken = await takeAnswerTry(getDb(), sent.id);
  if (triesTaken === null) throw refusal("InvalidResetCode");
  await requireAnswer(user, answer, triesTaken);
  return inTransaction(async (trx) => {
    if (!(await consumeToken(trx, sent.id, now))) throw refusal("InvalidResetCode");
    if (user.emailVerifiedAt === null) await updateUser(trx, user.id, { emailVerifiedAt: now }, now);
    const actor = { id: user.id, name: user.email, client: entered.client };
    await recordAudit(
      trx,
      { actor, event: "account.reset-code-accepted", message: "Entered the password reset code.", userId: user.id },
      now,
    );
    return grantPasswordChange(trx, user, now);
  });
}

/** What each code of a refusal means in the list of security events. */
const REFUSALS: Readonly<Record<string, string>> = {
  InvalidResetCode: "The reset code was wrong, used or had expired.",
  InvalidSecurityAnswer: "The answer to the security question was wrong.",
  AccountLocked: "The account is locked.",
  [STAFF_PASSWORD]: "Staff do not log in with passwords.",
};

async function noteRefused({ email, client }: EnteredCode, error: unknown): Promise<void> {
  const detail = isPortalError(error) ? REFUSALS[error.code] : undefined;
  if (detail) await recordSecurityEvent(getDb(), { event: "reset-code.refused", actorName: email, client, detail });
}

/**
 * Checks a reset code and the security answer, and uses up the code. Returns the permit for one change of the password. Marks the email
 * address as confirmed, because the link came by email.
 *
 * Throws a PortalError whose code is AccountLocked, InvalidSecurityAnswer or InvalidResetCode, or a PortalError (429) after ten answers in
 * a day. Five wrong answers end the code, and the fifth says so. AccountLocked means an administrator's lock; only somebody with the code
 * learns of it.
 */
export async function checkResetCode(entered: EnteredCode, answer: string, now = new Date()): Promise<string> {
  const [outcome] = await Promise.allSettled([check(entered, answer, now), sleep(LEAST_TIME)]);
  if (outcome.status === "fulfilled") return outcome.value;
  await noteRefused(entered, outcome.reason);
  throw outcome.reason;
}
