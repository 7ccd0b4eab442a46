import { type DbOrTrx, type Trx } from "../connection.server";

/**
 * Returns how many consecutive wrong passwords came from a place, which is a network, device or session. Returns null when nothing is
 * stored about it.
 */
export async function findPlaceFailures(db: DbOrTrx, userId: number, place: string, now: Date): Promise<number | null> {
  const row = await db
    .selectFrom("loginPlaces")
    .select("failures")
    .where("userId", "=", userId)
    .where("place", "=", place)
    .where("expiresAt", ">", now.toISOString())
    .executeTakeFirst();
  return row?.failures ?? null;
}

/** Counts a wrong password at a place. Returns how many consecutive ones came from there. */
export async function countPlaceFailure(trx: Trx, userId: number, place: string, expiresAt: Date): Promise<number> {
  const { failures } = await trx
    .insertInto("loginPlaces")
    .values({ userId, place, failures: 1, expiresAt })
    .onConflict((conflict) =>
      conflict
        .columns(["userId", "place"])
        .doUpdateSet((eb) => ({ failures: eb("loginPlaces.failures", "+", 1), expiresAt })),
    )
    .returning("failures")
    .executeTakeFirstOrThrow();
  return failures;
}

/** Stores a place without wrong passwords. */
export async function keepPlace(trx: Trx, userId: number, place: string, expiresAt: Date): Promise<void> {
  await trx
    .insertInto("loginPlaces")
    .values({ userId, place, failures: 0, expiresAt })
    .onConflict((conflict) => conflict.columns(["userId", "place"]).doUpdateSet({ failures: 0, expiresAt }))
    .execute();
}

/** Deletes a place and its count of wrong passwords. */
export async function forgetPlace(db: DbOrTrx, userId: number, place: string): Promise<void> {
  await db.deleteFrom("loginPlaces").where("userId", "=", userId).where("place", "=", place).execute();
}

/** Deletes all places of an account. */
export async function forgetPlaces(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom("loginPlaces").where("userId", "=", userId).execute();
}

/** Resets the count of wrong passwords at all places of an account. The places stay. */
export async function forgetPlaceFailures(trx: Trx, userId: number): Promise<void> {
  await trx.updateTable("loginPlaces").set({ failures: 0 }).where("userId", "=", userId).execute();
}
