import { recordAudit } from "~/domain/audit/audit.service.server";
import { findUserById, updateUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { lockMinutes, MAX_FAILURES } from "./accounts.policy";

export const isLocked = (user: Pick<UserRow, "lockedUntil">, now: Date): boolean =>
  user.lockedUntil !== null && user.lockedUntil > now.toISOString();

/**
 * Counts a wrong password or security answer; the fifth in a row locks the account, each time for longer.
 * Counted on the row, so no try is missed. Out: whether the account is locked now.
 */
export const countFailure = (userId: number, now: Date): Promise<boolean> =>
  inTransaction(async (trx) => {
    await trx
      .updateTable("users")
      .set((eb) => ({ failedLogins: eb("failedLogins", "+", 1) }))
      .where("id", "=", userId)
      .execute();
    const user = await findUserById(trx, userId);
    if (!user) return false;
    if (user.failedLogins < MAX_FAILURES) return isLocked(user, now);
    const lockCount = user.lockCount + 1;
    const lockedUntil = new Date(now.getTime() + lockMinutes(lockCount) * 60_000);
    await updateUser(trx, userId, { failedLogins: 0, lockCount, lockedUntil }, now);
    await recordAudit(
      trx,
      {
        actor: { id: null, name: user.email },
        event: "account.locked",
        message: `Locked for ${lockMinutes(lockCount)} minutes after ${MAX_FAILURES} wrong passwords or answers.`,
        userId,
      },
      now,
    );
    return true;
  });
