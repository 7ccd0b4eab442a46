import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { type Trx } from "~db/connection.server";
import { countPlaceFailure } from "~db/repositories/login-places.server";
import { lockUser, updateUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { lockOf } from "./account-state.policy";
import { failuresWith, lockMinutes, locksWith, MAX_FAILURES } from "./accounts.policy";
import { tellAboutLock } from "./lock-mails.server";
import { placeEnd } from "./login-places.server";

/** Whether no password is compared: an administrator locked the account, or wrong ones did and it is not known at this place. */
export function isShut(user: UserRow, place: string | null, now: Date): boolean {
  const lock = lockOf(user, now);
  return lock === "administrator" || (lock === "wrong-passwords" && place === null);
}

async function lock(trx: Trx, user: UserRow, from: string, now: Date): Promise<void> {
  const lockCount = locksWith(user, now);
  const minutes = lockMinutes(lockCount);
  const lockedUntil = new Date(now.getTime() + minutes * 60_000);
  await updateUser(trx, user.id, { failedLogins: 0, lockCount, lockedUntil }, now);
  const message = `Locked for ${minutes} minutes after ${MAX_FAILURES} wrong passwords, the last one ${from}, except where it was logged in before.`;
  const entry = { actor: systemActor("login"), event: "account.locked", message, userId: user.id };
  await recordAudit(trx, entry, now);
  await tellAboutLock(trx, user, lockedUntil, now);
}

/**
 * Counts a wrong password, of the known place that it came from or, where that is null, of the account. The fifth in a row ends what is
 * known of the place and locks the account everywhere else, each time for longer. Counted on the rows, so that none is missed. `from` says
 * for staff where it was entered: "from the network 203.0.113.0/24".
 */
export const countFailure = (userId: number, place: string | null, from: string, now: Date): Promise<void> =>
  inTransaction(async (trx) => {
    const user = await lockUser(trx, userId, now);
    if (!user) return;
    const failures =
      place === null ? failuresWith(user, now) : await countPlaceFailure(trx, userId, place, placeEnd(now));
    if (place === null) await updateUser(trx, userId, { failedLogins: failures, lastFailureAt: now }, now);
    if (failures >= MAX_FAILURES && lockOf(user, now) === null) await lock(trx, user, from, now);
  });
