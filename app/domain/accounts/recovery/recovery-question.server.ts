import { createHmac, randomBytes } from "node:crypto";
import { consumeTry } from "~/domain/limits/tries.server";
import { type Client } from "~/domain/security-events/client";
import { noteDeadLink } from "~/domain/security-events/dead-link.server";
import { getConfig } from "~/lib/config.server";
import { networkOf } from "~/lib/networks.server";
import { getDb } from "~db/connection.server";
import {
  findResetCode,
  getDecoyKey,
  isRecoverable,
  listRecoverableAccounts,
  listResetCodes,
  MAX_TRIES,
} from "~db/repositories/reset-codes.server";
import { hashOf } from "~db/repositories/tokens.server";
import { findUserById } from "~db/repositories/users.server";
import { type DeadCode } from "./recovery-messages";

/**
 * Returns one of the configured questions for an email without an account. It is always the same for an email, and nobody can predict it
 * without the portal's key.
 */
async function decoyQuestion(email: string, now: Date): Promise<string> {
  const key = await getDecoyKey(getDb(), randomBytes(32).toString("base64url"), now);
  const weigh = (question: string) => createHmac("sha256", key).update(`${email}\n${question}`).digest("hex");
  const [first = ""] = [...getConfig().accounts.securityQuestions].sort((one, other) =>
    weigh(one) < weigh(other) ? -1 : 1,
  );
  return first;
}

export interface RecoveryQuestion {
  /** Null when the account has no question; then the page does not ask for an answer. */
  question: string | null;
  /** The user name of the account that the code is for; null for anybody without the code. */
  username: string | null;
}

/**
 * Returns why the code in a link cannot be used, or null when it can be used or the page has no code. Only somebody with the code learns
 * that a newer one was sent or that an administrator has locked the account.
 */
async function findDeadCode(email: string, code: string, now: Date): Promise<DeadCode | null> {
  if (code === "") return null;
  const codes = await listResetCodes(getDb(), email, now);
  const usable = codes.find(({ tokenHash, failures }) => tokenHash === hashOf(code) && failures < MAX_TRIES);
  const user = usable?.userId ? await findUserById(getDb(), usable.userId) : null;
  if (user && user.email === email && isRecoverable(user)) return user.adminLockedAt === null ? null : "locked";
  const sent = await findResetCode(getDb(), email, hashOf(code));
  const owner = sent?.userId ? await findUserById(getDb(), sent.userId) : null;
  if (owner && owner.adminLockedAt !== null) return "locked";
  return sent && codes.some(({ userId, id }) => userId === sent.userId && id > sent.id) ? "replaced" : "over";
}

/**
 * Returns the security question to show for an email and a code. Only somebody with the code learns which account it is for and that it has
 * no question. Everybody else sees a question in any case: that of the account that was used last, or a decoy, which does not show whether
 * an account exists. Consumes no try: `openRecovery` does for a page or call that only shows the question.
 */
export async function findRecoveryQuestion(email: string, code: string, now = new Date()): Promise<RecoveryQuestion> {
  const codes = await listResetCodes(getDb(), email, now);
  const sent = codes.find(({ tokenHash }) => tokenHash === hashOf(code));
  const [lastUsed] = await listRecoverableAccounts(getDb(), email);
  const user = sent?.userId ? await findUserById(getDb(), sent.userId) : lastUsed;
  const decoy = await decoyQuestion(email, now);
  const stored = user?.securityAnswerHash ? user.securityQuestion : null;
  return { question: stored ?? (sent ? null : decoy), username: (sent && user?.username) ?? null };
}

/**
 * Returns what the page of a link shows: the question, and why the code cannot be used, or null. A page without a code has the code "".
 * Does not use up the code. Throws a PortalError (429) after too many questions from one network.
 */
export async function openRecovery(
  email: string,
  code: string,
  client: Client,
  now = new Date(),
): Promise<RecoveryQuestion & { dead: DeadCode | null }> {
  await consumeTry("reset-code-address", networkOf(client.address));
  const dead = await findDeadCode(email, code, now);
  if (dead) noteDeadLink(client, "to reset a password");
  return { dead, ...(await findRecoveryQuestion(email, code, now)) };
}
