import { json } from "@remix-run/node";
import { PASSKEY_OPTIONS, PASSKEY_USE } from "~/domain/accounts/factors/passkey-intents";
import { refused } from "./responses.server";

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
