import { isOwnAnswer, readUse, relyingParty } from "~/lib/passkey-answers.server";
import { checkUse, isCopy } from "~/lib/passkey-checks.server";
import { stepOfCode } from "~/lib/totp.server";
import { type AppSecrets } from "./app-secrets.server";
import { type Factor, WRONG_CODES } from "./factor-register.server";
import { type FactorUse } from "./journal-entry.server";
import { type FactorAnswer } from "./protocol";
import { Refusal } from "./refusal.server";
import { challengeOf, type Statement } from "./statement.server";

const MINUTE = 60_000;
/** How long a person may take to answer, and by how much the clocks of the portal and of the signer may differ, in milliseconds. */
const LONGEST_ANSWER_MS = 10 * MINUTE;
const CLOCK_TOLERANCE_MS = MINUTE;

/** Throws a Refusal `factor` with this sentence. */
const refuse = (sentence: string): never => {
  throw new Refusal("factor", sentence);
};

/** A code that is wrong. It is noted in the journal. */
export class WrongCode extends Refusal {
  constructor(readonly factor: Factor) {
    super("factor", "The code is wrong. Enter the code that the app for the signer shows now.");
  }
}

/** Throws a Refusal `factor` when the person was asked too long ago or, by the clock of the signer, in the future. */
export function requireRecent(askedAt: string, now: Date): void {
  const age = now.getTime() - Date.parse(askedAt);
  if (!(age <= LONGEST_ANSWER_MS && age >= -CLOCK_TOLERANCE_MS))
    refuse(`You were asked at ${askedAt}, and the clock of the signer is at ${now.toISOString()}. Please try again.`);
}

async function checkPasskey(factors: readonly Factor[], statement: Statement, text: string): Promise<FactorUse> {
  const read = readUse(text) ?? refuse("The answer of the passkey cannot be read.");
  const { answer, client } = read;
  const factor =
    factors.find(({ credential }) => credential === answer.id) ??
    refuse(`The signer does not accept this passkey for ${statement.person}.`);
  if (!isOwnAnswer(client, Buffer.from(answer.response.authenticatorData, "base64url")))
    refuse(
      `The passkey was used on a page of another site than ${relyingParty().origin}, the PUBLIC_URL of the signer.`,
    );
  if (client.challenge !== challengeOf(statement)) refuse("The passkey has confirmed something else.");
  const counter = await checkUse(answer, factor, client.challenge, true);
  if (counter === null)
    return refuse("The passkey's answer is not valid. The device must check who uses it, by a PIN or a fingerprint.");
  return { factor: factor.id, counter };
}

function checkCode(factors: readonly Factor[], secrets: AppSecrets, { person }: Statement, code: string, now: Date) {
  const app = factors.find(({ kind }) => kind === "app") ?? refuse(`The signer has no authenticator app of ${person}.`);
  const secret = secrets.find(app.id) ?? refuse(`The secret of the app of ${person} cannot be read. Add it again.`);
  if (app.wrong >= WRONG_CODES)
    refuse(
      `After ${WRONG_CODES} wrong codes, no code of this app counts. Ask an operator of the signer to add it again.`,
    );
  const digits = code.replace(/\s/g, "");
  // A slip of the fingers is no guess, so it does not count as a wrong code.
  if (!/^\d{6}$/.test(digits))
    refuse("The code must have six digits. Enter the code that the app for the signer shows now.");
  const step = stepOfCode(secret, digits, now);
  if (step === null) throw new WrongCode(app);
  return { factor: app.id, step };
}

/**
 * Checks with which of the factors a person has confirmed a statement. Whether the same code or a copy of the passkey was used before is
 * checked by `requireNewUse`, right before the use is noted.
 *
 * @throws Refusal `factor` with a sentence for the person; a `WrongCode` when it is to be noted.
 */
export async function checkAnswer(
  factors: readonly Factor[],
  secrets: AppSecrets,
  statement: Statement,
  answer: FactorAnswer,
  now: Date,
): Promise<FactorUse> {
  requireRecent(statement.askedAt, now);
  return "code" in answer
    ? checkCode(factors, secrets, statement, answer.code, now)
    : checkPasskey(factors, statement, answer.passkey);
}

/** Throws a Refusal `factor` when a code was used before, or the counter of a passkey does not grow. */
export function requireNewUse(factor: Factor | null, { step, counter }: FactorUse): void {
  if (!factor) return refuse("The factor has been removed meanwhile.");
  if (step !== undefined && step <= factor.step)
    refuse("This code has been used. Wait until the app shows the next one.");
  if (counter !== undefined && isCopy(factor.counter, counter))
    refuse("The counter of the passkey did not grow, so it may be a copy. Ask an operator of the signer to remove it.");
}
