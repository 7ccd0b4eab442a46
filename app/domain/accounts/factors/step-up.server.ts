import { recordAudit } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { singleSignOn } from "~/lib/single-sign-on.server";
import { getDb, type Trx } from "~db/connection.server";
import { hasFactor } from "~db/repositories/second-factors.server";
import { storeProof } from "~db/repositories/sessions.server";
import { type Proof, type Row } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { requireCurrentPassword } from "../security-change.server";
import { type SessionUser } from "../session-user";
import { isFresh, isOneFactor, PROOF_MINUTES, PROOF_NAMES } from "./factors.policy";
import { proveByCode } from "./prove.service.server";

/** The code of the error for a task that asks for a fresh proof. */
export const STEP_UP = "account.step-up";

/**
 * Returns whether the user has proved in this session within ten minutes who they are: with a second factor, or with the password while the
 * account has none.
 */
export async function hasFreshProof({ id, proof }: SessionUser, now = new Date()): Promise<boolean> {
  if (isFresh(proof, true, now)) return true;
  return isFresh(proof, false, now) && !(await hasFactor(getDb(), id));
}

/** Throws a PortalError (403, `account.step-up`) when the user has not proved within ten minutes who they are. */
export async function requireFreshProof(user: SessionUser, now = new Date()): Promise<void> {
  if (await hasFreshProof(user, now)) return;
  const how = (await hasFactor(getDb(), user.id)) ? "your second factor" : "your password";
  throw new PortalError(`Please confirm with ${how} that it is you. This counts for ${PROOF_MINUTES} minutes.`, {
    code: STEP_UP,
    status: 403,
  });
}

/**
 * Returns whether a change of the email address, the password or the security question needs a fresh proof besides the password: when the
 * account has a second factor.
 */
export const needsProofForSecurity = async (user: SessionUser): Promise<boolean> =>
  user.impersonator === null && (await hasFactor(getDb(), user.id));

/** Records in the session that the user has proved who they are, with the audit entry, in the caller's transaction. */
export async function recordProof(trx: Trx, user: SessionUser, proof: Proof, now: Date): Promise<void> {
  const { id, actor, sessionId } = user;
  if (sessionId === null) return;
  await storeProof(trx, sessionId, proof, now);
  const message = `Confirmed with ${PROOF_NAMES[proof]} who is at the browser or program.`;
  await recordAudit(trx, { actor, event: "account.confirmed", message, userId: id }, now);
}

/** Records the proof in a transaction of its own. */
export const noteProof = (user: SessionUser, proof: Proof, now = new Date()): Promise<void> =>
  inTransaction((trx) => recordProof(trx, user, proof, now));

/**
 * Returns what counts as the proof of a session of this user that continues another one, or null. A proof of somebody else does not count:
 * neither the administrator's when they begin to act as the user, nor one that was given while they acted.
 *
 * @param given What the user proved in this request. The password does not count where it is not asked for a confirmation.
 */
export async function continuedProof(
  session: Row<"sessions">,
  userId: number,
  given?: Proof,
  now = new Date(),
): Promise<{ at: string; by: Proof } | null> {
  if (session.userId !== userId || session.impersonatorId !== null) return null;
  const { provedAt, provedBy, signedOnWith } = session;
  const hasOne = await hasFactor(getDb(), userId);
  const former = provedAt && provedBy ? { at: provedAt, by: provedBy } : null;
  const latest = given && signedOnWith === null ? { at: now.toISOString(), by: given } : null;
  return [latest, former].find((proof) => proof !== null && !(hasOne && isOneFactor(proof.by))) ?? null;
}

/**
 * Checks the password of an account without a factor, and records the proof in the session. Throws a PortalError for the field
 * `currentPassword` when the account has a factor, the user came by single sign-on, or the password is wrong.
 */
export async function confirmByPassword(user: SessionUser, password: string, now = new Date()): Promise<void> {
  if (await hasFactor(getDb(), user.id))
    throw new PortalError("Your account has a second factor. Please use it.", {
      code: STEP_UP,
      field: "currentPassword",
    });
  if (singleSignOn() && user.signedOnWith !== null)
    throw new PortalError("You came by single sign-on. Please confirm there.", {
      code: STEP_UP,
      field: "currentPassword",
    });
  await requireCurrentPassword(user, password, now);
  await noteProof(user, "password", now);
}

/** Checks a code of an authenticator app or a recovery code, and records the proof in the session. Throws what `proveByCode` throws. */
export async function confirmByCode(user: SessionUser, code: string, now = new Date()): Promise<void> {
  await noteProof(user, await proveByCode({ userId: user.id, actor: user.actor }, code, now), now);
}
