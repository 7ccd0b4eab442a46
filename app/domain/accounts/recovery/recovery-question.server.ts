import { createHmac, randomBytes } from "node:crypto";
import { getConfig } from "~/lib/config.server";
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

/** For an e-mail always the same one of the configured questions, which nobody without the portal's key can foretell. */
async function decoyQuestion(email: string, now: Date): Promise<string> {
  const key = await getDecoyKey(getDb(), randomBytes(32).toString("base64url"), now);
  const weigh = (question: string) => createHmac("sha256", key).update(`${email}\n${question}`).digest("hex");
  const [first = ""] = [...getConfig().accounts.securityQuestions].sort((one, other) =>
    weigh(one) < weigh(other) ? -1 : 1,
  );
  return first;
}

export interface RecoveryQuestion {
  /** Null when the account has none, so that no answer is asked. */
  question: string | null;
  /** User name of the account that the code is for; null for who does not have the code. */
  username: string | null;
}

/**
 * What is wrong with the code of a link; null when it can be used, or where the page has none. That a newer one was sent, or that an
 * administrator has locked the account, is told only to who has the code. Uses up nothing.
 */
export async function findDeadCode(email: string, code: string, now = new Date()): Promise<DeadCode | null> {
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
 * The security question to show for an e-mail, and a code as far as it is known.
 * Which account it is about, and that it has no question, is told only to who has the code. Else everyone sees a question: that of the
 * account used last, or a decoy, which does not say whether there is such an account.
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
