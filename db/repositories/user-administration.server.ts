import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { UNLOCKED } from "./account-access.server";

const administrators = (db: DbOrTrx) =>
  db
    .selectFrom("users")
    .select("id")
    .where("isAdmin", "=", true)
    .where("isDisabled", "=", false)
    .where("adminLockedAt", "is", null);

/**
 * Returns the ids of the administrators who can log in and locks them against every change until the transaction ends, so that a decision
 * about one of them takes all into account. SQLite needs no lock, because a transaction is the only writer.
 */
export async function lockAdministrators(trx: Trx): Promise<number[]> {
  const query = administrators(trx).orderBy("id");
  const rows = await (getConnection().dialect === "postgres" ? query.forNoKeyUpdate() : query).execute();
  return rows.map(({ id }) => id);
}

/** Returns the ids of the administrators who can log in, without locking them. */
export const listAdministrators = async (db: DbOrTrx): Promise<number[]> =>
  (await administrators(db).execute()).map(({ id }) => id);

/** Returns the administrators who receive messages to all administrators: those who can log in and act on them. */
export const listAdministratorsToTell = (db: DbOrTrx) =>
  administrators(db).select(["firstName", "lastName"]).orderBy("id").execute();

/** Returns the administrators who receive alerts: those who can log in and have confirmed their address. */
export const listAdministratorsToAlert = (db: DbOrTrx) =>
  administrators(db).select(["email", "firstName"]).where("emailVerifiedAt", "is not", null).orderBy("id").execute();

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

/** Grants or withdraws a right. Returns false when that changes nothing. */
export async function setRight(
  trx: Trx,
  id: number,
  right: "isAdmin" | "isApplicant",
  isGranted: boolean,
  now: Date,
): Changed {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set({ [right]: isGranted, updatedAt: now })
    .where("id", "=", id)
    .where(right, "=", !isGranted)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
