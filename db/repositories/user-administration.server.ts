import { type DbOrTrx, getConnection, type Trx } from "../connection.server";

/**
 * Ids of the administrators who can sign in, held against every change of them until the transaction ends: what is decided about
 * one of them is decided with all in view. On SQLite every transaction is the only one that writes.
 */
export async function lockAdministrators(trx: Trx): Promise<number[]> {
  const query = trx.selectFrom("users").select("id").where("isAdmin", "=", 1).where("isDisabled", "=", 0).orderBy("id");
  const rows = await (getConnection().dialect === "postgres" ? query.forNoKeyUpdate() : query).execute();
  return rows.map(({ id }) => id);
}

/** The same ids, for showing. */
export const listAdministrators = async (db: DbOrTrx): Promise<number[]> => {
  const query = db.selectFrom("users").select("id").where("isAdmin", "=", 1).where("isDisabled", "=", 0);
  return (await query.execute()).map(({ id }) => id);
};

/** Whom messages for all administrators go to. */
export const listAdministratorMailboxes = (db: DbOrTrx) =>
  db
    .selectFrom("users")
    .select(["id", "firstName", "lastName", "email"])
    .where("isAdmin", "=", 1)
    .where("isDisabled", "=", 0)
    .orderBy("id")
    .execute();

type Changed = Promise<boolean>;

/** Disables an open account: its sessions end. Out: false when it was disabled before; of two callers one gets true. */
export async function disableAccount(trx: Trx, id: number, now: Date): Changed {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set((eb) => ({ isDisabled: true, sessionEpoch: eb("sessionEpoch", "+", 1), updatedAt: now }))
    .where("id", "=", id)
    .where("isDisabled", "=", 0)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Enables a disabled account that was not merged. Out: false when it is open. */
export async function enableAccount(trx: Trx, id: number, now: Date): Changed {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set({ isDisabled: false, updatedAt: now })
    .where("id", "=", id)
    .where("isDisabled", "=", 1)
    .where("mergedInto", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends the lock of an account and forgets its wrong passwords. Out: false when it is not locked. */
export async function unlockAccount(trx: Trx, id: number, now: Date): Changed {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set({ failedLogins: 0, lockCount: 0, lockedUntil: null, updatedAt: now })
    .where("id", "=", id)
    .where("lockedUntil", ">", now.toISOString())
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Grants or withdraws a right. Out: false when the account has it, or has it not, already. */
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
    .where(right, "=", isGranted ? 0 : 1)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
