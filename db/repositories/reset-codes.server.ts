import { type DbOrTrx, type Trx } from "../connection.server";
import { type Row } from "../tables";
import { type UserRow } from "./users.server";

/** Wrong answers that end a reset code. */
export const MAX_TRIES = 5;

/** Whether the password of an account can be recovered, unless an administrator has locked it. */
export const isRecoverable = ({ isDisabled, mergedInto }: Pick<UserRow, "isDisabled" | "mergedInto">): boolean =>
  !isDisabled && mergedInto === null;

/** The open accounts of an e-mail, which several imported ones can share: the one used last first, then the oldest. */
export async function listRecoverableAccounts(db: DbOrTrx, email: string): Promise<UserRow[]> {
  const accounts = await db
    .selectFrom("users")
    .selectAll()
    .where("email", "=", email)
    .where("isDisabled", "=", false)
    .where("mergedInto", "is", null)
    .orderBy("id")
    .execute();
  return accounts.sort((one, other) => (other.lastLoginAt ?? "").localeCompare(one.lastLoginAt ?? ""));
}

/** Ends the codes that were sent for these accounts before. */
export async function endResetCodes(trx: Trx, users: readonly { id: number }[], now: Date): Promise<void> {
  if (users.length === 0) return;
  await trx
    .updateTable("tokens")
    .set({ usedAt: now })
    .where("purpose", "=", "reset-password")
    .where(
      "userId",
      "in",
      users.map(({ id }) => id),
    )
    .where("usedAt", "is", null)
    .execute();
}

/**
 * The codes of this e-mail that are neither used nor too old, the newest of each account; older ones do not count, however they survived.
 * Their tries may be used up: `takeTry` tells.
 */
export async function listResetCodes(db: DbOrTrx, email: string, now: Date): Promise<Row<"tokens">[]> {
  const rows = await db
    .selectFrom("tokens")
    .selectAll()
    .where("purpose", "=", "reset-password")
    .where("email", "=", email)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .orderBy("id")
    .execute();
  return [...new Map(rows.map((row) => [row.userId, row])).values()];
}

/** A code that was sent to this e-mail, also one that can be used no more. */
export const findResetCode = async (db: DbOrTrx, email: string, tokenHash: string): Promise<Row<"tokens"> | null> =>
  (await db
    .selectFrom("tokens")
    .selectAll()
    .where("tokenHash", "=", tokenHash)
    .where("purpose", "=", "reset-password")
    .where("email", "=", email)
    .executeTakeFirst()) ?? null;

/**
 * Takes one of the code's tries before it is judged, on the row, so that tries at the same moment cannot share one.
 * Returns how many were taken with this one, or null when none was left.
 */
export async function takeAnswerTry(db: DbOrTrx, id: number): Promise<number | null> {
  const row = await db
    .updateTable("tokens")
    .set((eb) => ({ failures: eb("failures", "+", 1) }))
    .where("id", "=", id)
    .where("failures", "<", MAX_TRIES)
    .where("usedAt", "is", null)
    .returning("failures")
    .executeTakeFirst();
  return row?.failures ?? null;
}

const DECOY_KEY = "recoveryDecoyKey";

/** The portal's own secret behind decoy questions: made once, the same for every process, untouched by changes of SESSION_SECRETS. */
export async function getDecoyKey(db: DbOrTrx, candidate: string, now: Date): Promise<string> {
  const find = () =>
    db.selectFrom("settings").select("value").where("name", "=", DECOY_KEY).where("userId", "=", 0).executeTakeFirst();
  const known = await find();
  if (known) return known.value;
  await db
    .insertInto("settings")
    .values({ name: DECOY_KEY, userId: 0, value: candidate, updatedAt: now })
    .onConflict((conflict) => conflict.columns(["name", "userId"]).doNothing())
    .execute();
  return (await find())?.value ?? candidate;
}
