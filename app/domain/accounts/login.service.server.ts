import { recordAudit } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { findUserById, listUsersByLogin, updateUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { lockMinutes, MAX_FAILURES } from "./accounts.policy";
import { verifyPassword } from "./passwords.server";

/** The login outcomes' texts, word for word (A §8). */
export const LOGIN_MESSAGES = {
  InvalidUsername:
    "The username you have entered is Invalid. Please re-enter your credentials or register as a new customer.",
  InvalidPassword:
    "The password you have entered is Invalid. Please re-enter your credentials or use the Forgot Password option.",
  AccountDisabled: "This user account has been disabled. Please contact support to get this account re-enabled.",
  AccountLocked: "This user account is locked. Please contact support.",
} as const;

export type LoginFailure = keyof typeof LOGIN_MESSAGES;

const refusal = (outcome: LoginFailure) => new PortalError(LOGIN_MESSAGES[outcome], { code: outcome, status: 422 });

const isLocked = (user: UserRow, now: Date) => user.lockedUntil !== null && user.lockedUntil > now.toISOString();

/** Counts a wrong password; the fifth in a row locks the account, each time for longer. Counted on the row, so no try is missed. */
const countFailure = (userId: number, now: Date): Promise<void> =>
  inTransaction(async (trx) => {
    await trx
      .updateTable("users")
      .set((eb) => ({ failedLogins: eb("failedLogins", "+", 1) }))
      .where("id", "=", userId)
      .execute();
    const user = await findUserById(trx, userId);
    if (!user || user.failedLogins < MAX_FAILURES) return;
    const lockCount = user.lockCount + 1;
    const lockedUntil = new Date(now.getTime() + lockMinutes(lockCount) * 60_000);
    await updateUser(trx, userId, { failedLogins: 0, lockCount, lockedUntil }, now);
    await recordAudit(
      trx,
      {
        actor: { id: null, name: user.email },
        event: "account.locked",
        message: `Locked for ${lockMinutes(lockCount)} minutes after ${MAX_FAILURES} wrong passwords.`,
        userId,
      },
      now,
    );
  });

/** Several imported accounts can share an e-mail: the password picks among them. */
async function findByPassword(candidates: UserRow[], password: string): Promise<UserRow | null> {
  for (const user of candidates) if (await verifyPassword(user.passwordHash, password)) return user;
  return null;
}

/**
 * Checks user name or e-mail and password, and records the login. Out: id and session epoch.
 * Throws PortalError whose code is the outcome: InvalidUsername, InvalidPassword, AccountDisabled, AccountLocked.
 */
export async function login(
  name: string,
  password: string,
  now = new Date(),
): Promise<{ id: number; sessionEpoch: number }> {
  const accounts = (await listUsersByLogin(getDb(), name.trim().toLowerCase())).filter(
    (user) => user.mergedInto === null,
  );
  if (accounts.length === 0) {
    await verifyPassword(null, password);
    throw refusal("InvalidUsername");
  }
  const open = accounts.filter((user) => !isLocked(user, now));
  if (open.length === 0) throw refusal("AccountLocked");

  const user = await findByPassword(open, password);
  if (!user) {
    for (const { id } of open) await countFailure(id, now);
    throw refusal("InvalidPassword");
  }
  if (user.isDisabled === 1) throw refusal("AccountDisabled");

  await inTransaction(async (trx) => {
    await updateUser(trx, user.id, { failedLogins: 0, lockCount: 0, lockedUntil: null, lastLoginAt: now }, now);
    const actor = { id: user.id, name: user.email };
    await recordAudit(trx, { actor, event: "account.logged-in", message: "Logged in.", userId: user.id }, now);
  });
  return { id: user.id, sessionEpoch: user.sessionEpoch };
}
