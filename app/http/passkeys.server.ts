import { json } from "@remix-run/node";
import { PASSKEY_OPTIONS, PASSKEY_USE } from "~/domain/accounts/factors/passkey-intents";
import { factorCodeValidator } from "~/domain/accounts/factors/validators";
import { type FactorAnswer } from "~/signer/protocol";
import { invalid, refused } from "./responses.server";

/** Returns whether the browser asks what its script needs before it calls an authenticator. */
export const asksForOptions = (sent: FormData): boolean => sent.get("intent") === PASSKEY_OPTIONS;

/** Returns the answer of a passkey that a form sends, or null for a form that sends something else. */
export function passkeyAnswerIn(sent: FormData): string | null {
  const answer = sent.get("answer");
  if (sent.get("intent") !== PASSKEY_USE) return null;
  return typeof answer === "string" ? answer : "";
}

/** Returns the options that `start` makes, or its refusal as an answer to the form. */
export async function answerWithOptions(start: () => Promise<object>, formId: string): Promise<Response> {
  try {
    return json({ options: await start() });
  } catch (error) {
    return refused(error, {}, formId);
  }
}

/**
 * Returns how a form confirms something to the signer, by the answer of a passkey or by the typed code, or the form with its error.
 */
export async function readFactorAnswer(sent: FormData): Promise<{ answer: FactorAnswer } | { response: Response }> {
  const passkey = passkeyAnswerIn(sent);
  if (passkey !== null) return { answer: { passkey } };
  const { error, data, submittedData } = await factorCodeValidator.validate(sent);
  return error ? { response: invalid(error, submittedData) } : { answer: { code: data.code } };
}
