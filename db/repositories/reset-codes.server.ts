import { type DbOrTrx, type Trx } from "../connection.server";
import { type Row } from "../tables";
import { selectUsers, type UserRow } from "./users.server";

/** The number of wrong answers that ends a reset code. */
export const MAX_TRIES = 5;

/** Returns whether the password of an account can be recovered. A lock by an administrator is not checked here. */
export const isRecoverable = ({ isDisabled, mergedInto }: Pick<UserRow, "isDisabled" | "mergedInto">): boolean =>
  !isDisabled && mergedInto === null;

/** Returns the open accounts with this email, which several imported accounts can share: last used first, then oldest first. */
export async function listRecoverableAccounts(db: DbOrTrx, email: string): Promise<UserRow[]> {
  const accounts = await selectUsers(db)
    .where("email", "=", email)
    .where("isDisabled", "=", false)
    .where("mergedInto", "is", null)
    .orderBy("users.id")
    .execute();
  return accounts.sort((one, other) => (other.lastLoginAt ?? "").localeCompare(one.lastLoginAt ?? ""));
}

/** Ends the unused reset codes of these accounts. */
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
 * Returns the reset codes of this email that are neither used nor expired, only the newest one of each account. Their tries may be used up,
 * which `takeAnswerTry` checks.
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

/** Returns a reset code that was sent to this email, even if it can no longer be used, or null. */
export const findResetCode = async (db: DbOrTrx, email: string, tokenHash: string): Promise<Row<"tokens"> | null> =>
  (await db
    .selectFrom("tokens")
    .selectAll()
    .where("tokenHash", "=", tokenHash)
    .where("purpose", "=", "reset-password")
    .where("email", "=", email)
    .executeTakeFirst()) ?? null;

/**
 * Uses up one of the code's tries before the code is checked. The row itself is updated, so that concurrent tries cannot share one. Returns
 * how many tries are used up, including this one, or null when none was left.
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

/**
 * Returns the portal's own secret for decoy questions. It is created once, is the same for every process, and does not depend on
 * SESSION_SECRETS.
 */
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
