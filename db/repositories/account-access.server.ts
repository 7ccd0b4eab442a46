import { type DbOrTrx, type Trx } from "../connection.server";

/** Returns every account with the columns that decide whether it can log in, sorted by user name. */
export const listAccountAccess = (db: DbOrTrx) =>
  db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.companyId")
    .select([
      "users.id",
      "username",
      "email",
      "companies.name as company",
      "isAdmin",
      "isApplicant",
      "isDisabled",
      "lockedUntil",
      "adminLockedAt",
      "lastLoginAt",
    ])
    .orderBy("username")
    .execute();

export type AccountAccess = Awaited<ReturnType<typeof listAccountAccess>>[number];

/** Column values of an account without wrong passwords and without a lock because of them. */
export const UNTRIED = { failedLogins: 0, lastFailureAt: null, lockCount: 0, lockedUntil: null } as const;

/** Column values of an account without wrong passwords and without any lock, including a lock by an administrator. */
export const UNLOCKED = { ...UNTRIED, adminLockedAt: null } as const;

/** Ends the locks of the accounts with this user name or email and clears their wrong passwords. Returns the accounts. */
export const endLocks = (trx: Trx, login: string, now: Date) =>
  trx
    .updateTable("users")
    .set({ ...UNLOCKED, updatedAt: now })
    .where((eb) => eb.or([eb("username", "=", login), eb("email", "=", login)]))
    .where("mergedInto", "is", null)
    .returning(["id", "username", "email"])
    .execute();

/** Stores a new password, ends every session and clears the wrong passwords. Returns the new session epoch. */
export async function raiseForNewPassword(trx: Trx, id: number, passwordHash: string, now: Date): Promise<number> {
  const { sessionEpoch } = await trx
    .updateTable("users")
    .set((eb) => ({
      passwordHash,
      passwordChangedAt: now,
      mustChangePassword: false,
      sessionEpoch: eb("sessionEpoch", "+", 1),
      ...UNTRIED,
      updatedAt: now,
    }))
    .where("id", "=", id)
    .returning("sessionEpoch")
    .executeTakeFirstOrThrow();
  return sessionEpoch;
}
