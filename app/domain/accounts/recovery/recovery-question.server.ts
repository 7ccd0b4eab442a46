import { createHmac, randomBytes } from "node:crypto";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { findRecoverableAccount, findResetCode, getDecoyKey } from "~db/repositories/reset-codes.server";
import { hashOf } from "~db/repositories/tokens.server";
import { findUserById } from "~db/repositories/users.server";

/** For an e-mail always the same one of the configured questions, which nobody without the portal's key can foretell. */
async function decoyQuestion(email: string, now: Date): Promise<string> {
  const key = await getDecoyKey(getDb(), randomBytes(32).toString("base64url"), now);
  const weigh = (question: string) => createHmac("sha256", key).update(`${email}\n${question}`).digest("hex");
  const [first = ""] = [...getConfig().accounts.securityQuestions].sort((one, other) =>
    weigh(one) < weigh(other) ? -1 : 1,
  );
  return first;
}

/**
 * The security question to show for an e-mail; null when the account has none, so that no answer is asked.
 * That there is none is told only to who has the code. Else everyone sees a question: the stored one, or a decoy, which does not say
 * whether there is such an account.
 */
export async function findRecoveryQuestion(email: string, code: string, now = new Date()): Promise<string | null> {
  const sent = await findResetCode(getDb(), email, now);
  const user = sent?.userId ? await findUserById(getDb(), sent.userId) : await findRecoverableAccount(getDb(), email);
  const decoy = await decoyQuestion(email, now);
  if (user?.securityQuestion && user.securityAnswerHash) return user.securityQuestion;
  return sent?.tokenHash === hashOf(code) ? null : decoy;
}
