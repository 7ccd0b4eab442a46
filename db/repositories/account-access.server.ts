import { type DbOrTrx, type Trx } from "../connection.server";

/** Every account with what decides about its sign-in, by user name. */
export const listAccountAccess = (db: DbOrTrx) =>
  db
    .selectFrom("users")
    .select([
      "id",
      "username",
      "email",
      "company",
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

/** No wrong passwords, and no lock because of them. */
export const UNTRIED = { failedLogins: 0, lastFailureAt: null, lockCount: 0, lockedUntil: null } as const;

/** The same, and no lock by an administrator. */
export const UNLOCKED = { ...UNTRIED, adminLockedAt: null } as const;

/** Ends the locks of the accounts of this user name or e-mail, and forgets their wrong passwords. Out: the accounts. */
export const endLocks = (trx: Trx, login: string, now: Date) =>
  trx
    .updateTable("users")
    .set({ ...UNLOCKED, updatedAt: now })
    .where((eb) => eb.or([eb("username", "=", login), eb("email", "=", login)]))
    .where("mergedInto", "is", null)
    .returning(["id", "username", "email"])
    .execute();

/** Stores a new password: it is fresh, every session ends, and wrong tries are forgotten. Out: the new session epoch. */
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
