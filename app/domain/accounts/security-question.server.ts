import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { hashAnswer } from "./passwords.server";

/**
 * Checks that a security question is one of the configured ones, and hashes its answer. Slow: must not be called inside a transaction.
 * Returns the columns to store. Throws a PortalError for the field `securityQuestion`.
 */
export async function prepareSecurityQuestion(
  securityQuestion: string,
  answer: string,
): Promise<{ securityQuestion: string; securityAnswerHash: string }> {
  if (!getConfig().accounts.securityQuestions.includes(securityQuestion))
    throw new PortalError(messages.collection, { code: "account.security-question", field: "securityQuestion" });
  return { securityQuestion, securityAnswerHash: await hashAnswer(answer) };
}
