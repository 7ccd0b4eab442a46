import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { consumeTry, giveBackTry } from "~/domain/limits/tries.server";
import { NO_CLIENT } from "~/domain/security-events/client";
import { recordSecurityEvent } from "~/domain/security-events/security-events.service.server";
import { PortalError } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { stepOfCode } from "~/lib/totp.server";
import { getDb } from "~db/connection.server";
import {
  type FactorRow,
  listFactors,
  listRecoveryCodes,
  storeRecoveryUse,
  storeTotpUse,
} from "~db/repositories/second-factors.server";
import { type Proof } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { tellAboutFactors } from "./factor-mails.server";
import { findRecoveryCode, readRecoveryCode } from "./recovery-codes.server";
import { FACTOR_REFUSALS, type FactorRefusal } from "./refusals";
import { openTotpSecret } from "./totp-secrets.server";

/** Whose factor is asked for, for the records. `actor` is the user. */
export interface Prover {
  userId: number;
  actor: Actor;
}

/** The error for a second factor that is not accepted. */
const refusal = (message: string, field: string | null) =>
  new PortalError(message, { code: "factor.refused", ...(field !== null && { field }) });

/** Records a refused factor and returns the error about it. `field` is null for a factor that nobody types. */
export async function refuseFactor(
  { userId, actor }: Prover,
  reason: FactorRefusal,
  field: string | null = "code",
): Promise<PortalError> {
  const { text, detail } = FACTOR_REFUSALS[reason];
  const event = reason === "copy" ? "factor.copied" : "factor.refused";
  const about = { userId, actorName: actor.name, client: actor.client ?? NO_CLIENT, detail };
  await recordSecurityEvent(getDb(), { event, ...about });
  return refusal(text, field);
}

async function proveByApp(prover: Prover, apps: readonly FactorRow[], code: string, now: Date): Promise<Proof | null> {
  let isUnreadable = false;
  for (const { id, secret: sealed } of apps) {
    const secret = sealed === null ? null : openTotpSecret(sealed, prover.userId);
    isUnreadable ||= secret === null;
    const step = secret === null ? null : stepOfCode(secret, code, now);
    if (step === null) continue;
    if (await inTransaction((trx) => storeTotpUse(trx, id, step, now))) return "totp";
    throw await refuseFactor(prover, "used");
  }
  if (isUnreadable) {
    logError(new Error("AUDIT_KEYS lacks the key with which the secret of an authenticator app was encrypted."));
    throw await refuseFactor(prover, "unreadable");
  }
  return null;
}

async function proveByRecoveryCode(prover: Prover, typed: string, now: Date): Promise<Proof | null> {
  const { userId, actor } = prover;
  const code = readRecoveryCode(typed);
  const found = code === null ? null : await findRecoveryCode(getDb(), userId, code);
  if (found === null) return null;
  const { id } = found;
  const proof = await inTransaction(async (trx) => {
    if (!(await storeRecoveryUse(trx, id, now))) return null;
    const entry = {
      event: "account.recovery-code-used",
      message: "Used a recovery code in place of the second factor.",
    };
    await recordAudit(trx, { actor, ...entry, userId }, now);
    const left = (await listRecoveryCodes(trx, userId)).length;
    const told = { key: `code-${id}`, what: "A recovery code was used", detail: `${left} recovery codes are left.` };
    await tellAboutFactors(trx, userId, told, now);
    return "recovery-code" as const;
  });
  if (proof) return proof;
  throw await refuseFactor(prover, "used-recovery");
}

/** Tells the owner, once an hour, that somebody who knows the password has entered too many wrong codes. */
const warnOwner = (userId: number, now: Date): Promise<void> =>
  inTransaction((trx) => {
    const what = "Somebody who knows your password entered many wrong codes";
    const told = { key: `guessed-${now.getTime()}`, what, detail: "No code is accepted for up to an hour." };
    return tellAboutFactors(trx, userId, told, now);
  });

/**
 * Counts a try with a second factor. Throws a PortalError (429) after twenty within an hour, and tells the owner. Must not be called inside
 * a transaction.
 */
export const consumeFactorTry = (userId: number, now: Date): Promise<void> =>
  consumeTry("factor-account", userId, () => warnOwner(userId, now));

/** Gives a try back whose factor was right: only wrong ones count. */
export const giveBackFactorTry = (userId: number): Promise<void> => giveBackTry("factor-account", userId);

/**
 * Checks a code of an authenticator app or a recovery code, and uses it up. Returns which it was. Throws a PortalError for the field `code`
 * when it is wrong or was used before, and a PortalError (429) after too many tries. Must not be called inside a transaction.
 */
export async function proveByCode(prover: Prover, typed: string, now = new Date()): Promise<Proof> {
  await consumeFactorTry(prover.userId, now);
  const apps = (await listFactors(getDb(), prover.userId)).filter(({ kind }) => kind === "totp");
  const code = typed.replace(/\s/g, "");
  const proof = /^\d{6}$/.test(code)
    ? await proveByApp(prover, apps, code, now)
    : await proveByRecoveryCode(prover, typed, now);
  if (!proof) throw await refuseFactor(prover, "wrong");
  await giveBackFactorTry(prover.userId);
  return proof;
}
