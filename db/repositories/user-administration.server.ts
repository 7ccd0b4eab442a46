import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type StaffRight } from "../tables";
import { UNLOCKED } from "./account-access.server";
import { staffIds } from "./users-called.server";

/** The accounts that can log in and have the right Admin or one of these rights. */
const staffWith = (db: DbOrTrx, rights: readonly StaffRight[]) =>
  db
    .selectFrom("users")
    .select("id")
    .where("isDisabled", "=", false)
    .where("adminLockedAt", "is", null)
    .where("id", "in", staffIds(db, rights));

const ADMINISTRATION: readonly StaffRight[] = ["user-administrator"];

/** Returns the ids of the user administrators who can log in, without locking them. */
export const listAdministrators = async (db: DbOrTrx): Promise<number[]> =>
  (await staffWith(db, ADMINISTRATION).orderBy("id").execute()).map(({ id }) => id);

/**
 * Returns the ids of the user administrators who can log in and locks them against every change until the transaction ends, so that a
 * decision about one of them takes all into account. SQLite needs no lock, because a transaction is the only writer. Whoever grants or
 * withdraws the right changes the account's row too, so the second query sees what was decided while the first one waited.
 */
export async function lockAdministrators(trx: Trx): Promise<number[]> {
  if (getConnection().dialect === "postgres")
    await staffWith(trx, ADMINISTRATION).orderBy("id").forNoKeyUpdate().execute();
  return listAdministrators(trx);
}

/** Returns the staff who can log in and have the right Admin or one of these rights, for messages to all of them. */
export const listStaffToTell = (db: DbOrTrx, rights: readonly StaffRight[]) =>
  staffWith(db, rights).select(["firstName", "lastName"]).orderBy("id").execute();

/** Returns the staff of `listStaffToTell` who have confirmed their address, for alerts. */
export const listStaffToAlert = (db: DbOrTrx, rights: readonly StaffRight[]) =>
  staffWith(db, rights)
    .select(["email", "firstName", "lastName", "isAdmin"])
    .where("emailVerifiedAt", "is not", null)
    .orderBy("id")
    .execute();

type Changed = Promise<boolean>;

/**
 * Disables an open account and ends its sessions. Returns false when it was disabled before. Only one of two concurrent callers gets true.
 */
export async function disableAccount(trx: Trx, id: number, now: Date): Changed {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set((eb) => ({ isDisabled: true, sessionEpoch: eb("sessionEpoch", "+", 1), updatedAt: now }))
    .where("id", "=", id)
    .where("isDisabled", "=", false)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Enables a disabled account that was not merged. Returns false when there is nothing to enable. */
export async function enableAccount(trx: Trx, id: number, now: Date): Changed {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set({ isDisabled: false, updatedAt: now })
    .where("id", "=", id)
    .where("isDisabled", "=", true)
    .where("mergedInto", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Locks an account until an administrator unlocks it, and ends its sessions. Returns false when an administrator locked it before. */
export async function lockAccount(trx: Trx, id: number, now: Date): Changed {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set((eb) => ({ adminLockedAt: now, sessionEpoch: eb("sessionEpoch", "+", 1), updatedAt: now }))
    .where("id", "=", id)
    .where("adminLockedAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends the locks of an account and clears its wrong passwords. Returns false when it is not locked. */
export async function unlockAccount(trx: Trx, id: number, now: Date): Changed {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set({ ...UNLOCKED, updatedAt: now })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("lockedUntil", ">", now.toISOString()), eb("adminLockedAt", "is not", null)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
