import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { type Client } from "~/domain/security-events/client";
import { type Trx } from "~db/connection.server";
import { countPlaceFailure } from "~db/repositories/login-places.server";
import { lockUser, updateUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { lockOf } from "./account-state.policy";
import { failuresWith, lockMinutes, locksWith, MAX_FAILURES } from "./accounts.policy";
import { tellAboutLock } from "./lock-mails.server";
import { placeEnd } from "./login-places.server";

/**
 * Returns whether a login is refused before the password is compared: an administrator has locked the account, or wrong passwords have
 * locked it and the login does not come from a known place.
 */
export function isShut(user: UserRow, place: string | null, now: Date): boolean {
  const lock = lockOf(user, now);
  return lock === "administrator" || (lock === "wrong-passwords" && place === null);
}

/** Where a wrong password was entered. */
export interface FailureOrigin {
  /** For staff to read, such as "from the network 203.0.113.0/24". */
  from: string;
  client: Client;
}

async function lock(trx: Trx, user: UserRow, { from, client }: FailureOrigin, now: Date): Promise<void> {
  const lockCount = locksWith(user, now);
  const minutes = lockMinutes(lockCount);
  const lockedUntil = new Date(now.getTime() + minutes * 60_000);
  await updateUser(trx, user.id, { failedLogins: 0, lockCount, lockedUntil }, now);
  const message = `Locked for ${minutes} minutes after ${MAX_FAILURES} wrong passwords, the last one ${from}, except where it was logged in before.`;
  const entry = { actor: { ...systemActor("login"), client }, event: "account.locked", message, userId: user.id };
  await recordAudit(trx, entry, now);
  await tellAboutLock(trx, user, lockedUntil, now);
}

/**
 * Counts a wrong password: for the known place that it came from, or for the account when `place` is null. After five in a row the place
 * counts as unknown, and the account is locked for all unknown places, each time for longer. The row of the account is locked meanwhile, so
 * that no try is missed.
 */
export const countFailure = (userId: number, place: string | null, origin: FailureOrigin, now: Date): Promise<void> =>
  inTransaction(async (trx) => {
    const user = await lockUser(trx, userId, now);
    if (!user) return;
    const failures =
      place === null ? failuresWith(user, now) : await countPlaceFailure(trx, userId, place, placeEnd(now));
    if (place === null) await updateUser(trx, userId, { failedLogins: failures, lastFailureAt: now }, now);
    if (failures >= MAX_FAILURES && lockOf(user, now) === null) await lock(trx, user, origin, now);
  });
