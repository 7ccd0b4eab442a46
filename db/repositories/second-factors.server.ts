import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";
import { staffIds } from "./users-called.server";

export type FactorRow = Row<"secondFactors">;

/** Returns the second factors of an account, oldest first. */
export const listFactors = (db: DbOrTrx, userId: number): Promise<FactorRow[]> =>
  db.selectFrom("secondFactors").selectAll().where("userId", "=", userId).orderBy("id").execute();

export async function hasFactor(db: DbOrTrx, userId: number): Promise<boolean> {
  const query = db.selectFrom("secondFactors").select("id").where("userId", "=", userId).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Selects the accounts that log in by single sign-on and have proved two factors there, at every login or in a session that is stored. */
const provedElsewhere = (db: DbOrTrx) =>
  db
    .selectFrom("signOnIdentities")
    .innerJoin("users as linked", "linked.id", "signOnIdentities.userId")
    .select("linked.id")
    .where((eb) =>
      eb.or([
        eb("linked.factorAskedAt", "is", null),
        eb(
          "linked.id",
          "in",
          eb.selectFrom("sessions").select("sessions.userId").where("signedOnWith", "=", "two-factors"),
        ),
      ]),
    );

/** Returns how many accounts of staff that can log in have no second factor, neither here nor at the identity provider. */
export async function countStaffWithoutFactor(db: DbOrTrx): Promise<number> {
  const { count } = await db
    .selectFrom("users")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("isDisabled", "=", false)
    .where("id", "in", staffIds(db))
    .where("id", "not in", (eb) => eb.selectFrom("secondFactors").select("userId"))
    .where("id", "not in", provedElsewhere(db))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns which of these accounts have a second factor. */
export async function listWithFactor(db: DbOrTrx, userIds: readonly number[]): Promise<number[]> {
  if (userIds.length === 0) return [];
  const query = db.selectFrom("secondFactors").select("userId").distinct().where("userId", "in", userIds);
  return (await query.execute()).map(({ userId }) => userId);
}

/** Returns the passkey with this credential id, of whichever account, or null. */
export const findPasskey = async (db: DbOrTrx, credentialId: string): Promise<FactorRow | null> =>
  (await db.selectFrom("secondFactors").selectAll().where("credentialId", "=", credentialId).executeTakeFirst()) ??
  null;

/** Stores a factor and returns its id. The account counts as having one from now on. */
export async function insertFactor(trx: Trx, factor: NewRow<"secondFactors">): Promise<number> {
  await trx.updateTable("users").set({ factorAskedAt: null }).where("id", "=", factor.userId).execute();
  return (await trx.insertInto("secondFactors").values(factor).returning("id").executeTakeFirstOrThrow()).id;
}

/** Changes the name of a factor. Returns false when the account has no such factor. */
export async function renameFactor(
  trx: Trx,
  { id, userId }: { id: number; userId: number },
  name: string,
): Promise<boolean> {
  const query = trx.updateTable("secondFactors").set({ name }).where("id", "=", id).where("userId", "=", userId);
  return (await query.executeTakeFirst()).numUpdatedRows === 1n;
}

/** Removes a factor. Returns false when the account has no such factor. */
export async function deleteFactor(trx: Trx, { id, userId }: { id: number; userId: number }): Promise<boolean> {
  const query = trx.deleteFrom("secondFactors").where("id", "=", id).where("userId", "=", userId);
  return (await query.executeTakeFirst()).numDeletedRows === 1n;
}

/**
 * Removes all factors and recovery codes of an account. Returns how many factors there were.
 *
 * @param askedAt When the account counts as asked to add a factor, if it is staff's.
 */
export async function deleteFactorsOf(trx: Trx, userId: number, askedAt: Date | null): Promise<number> {
  await trx.deleteFrom("recoveryCodes").where("userId", "=", userId).execute();
  await trx.updateTable("users").set({ factorAskedAt: askedAt }).where("id", "=", userId).execute();
  const query = trx.deleteFrom("secondFactors").where("userId", "=", userId);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** Records the use of a code of an authenticator app. Returns false when a code of this time step or a later one was used before. */
export async function storeTotpUse(trx: Trx, id: number, step: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("secondFactors")
    .set({ lastStep: step, lastUsedAt: now })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("lastStep", "is", null), eb("lastStep", "<", step)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Records the use of a passkey. Returns false when it was used in the meantime, so that two copies cannot use the same counter. */
export async function storePasskeyUse(
  trx: Trx,
  id: number,
  { before, counter }: { before: number; counter: number },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("secondFactors")
    .set({ counter, lastUsedAt: now })
    .where("id", "=", id)
    .where("counter", "=", before)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const recoveryCodesOf = (db: DbOrTrx, userId: number) =>
  db.selectFrom("recoveryCodes").selectAll().where("userId", "=", userId).orderBy("id");

/** Returns the recovery codes of an account that have not been used. */
export const listRecoveryCodes = (db: DbOrTrx, userId: number): Promise<Row<"recoveryCodes">[]> =>
  recoveryCodesOf(db, userId).where("usedAt", "is", null).execute();

/** Returns the recovery codes of an account, used or not. */
export const listAllRecoveryCodes = (db: DbOrTrx, userId: number): Promise<Row<"recoveryCodes">[]> =>
  recoveryCodesOf(db, userId).execute();

/** Replaces the recovery codes of an account. */
export async function replaceRecoveryCodes(trx: Trx, userId: number, hashes: readonly string[]): Promise<void> {
  await trx.deleteFrom("recoveryCodes").where("userId", "=", userId).execute();
  if (hashes.length > 0)
    await trx
      .insertInto("recoveryCodes")
      .values(hashes.map((codeHash) => ({ userId, codeHash })))
      .execute();
}

/** Marks a recovery code as used. Returns false when it was used before, so that it works once. */
export async function storeRecoveryUse(trx: Trx, id: number, now: Date): Promise<boolean> {
  const query = trx.updateTable("recoveryCodes").set({ usedAt: now }).where("id", "=", id).where("usedAt", "is", null);
  return (await query.executeTakeFirst()).numUpdatedRows === 1n;
}

/** Records that somebody without a factor was asked to add one. Does nothing when that was recorded before. */
export async function storeFactorAsked(trx: Trx, userId: number, now: Date): Promise<void> {
  const query = trx.updateTable("users").set({ factorAskedAt: now }).where("id", "=", userId);
  await query.where("factorAskedAt", "is", null).execute();
}
