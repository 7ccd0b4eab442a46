import { type DbOrTrx, type Trx } from "../connection.server";

/** How many wrong passwords in a row came from a place; null when nothing is stored about it. */
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

/** Counts a wrong password at a place. Returns how many came from there in a row. */
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

/** Keeps a place, with no wrong passwords. */
export async function keepPlace(trx: Trx, userId: number, place: string, expiresAt: Date): Promise<void> {
  await trx
    .insertInto("loginPlaces")
    .values({ userId, place, failures: 0, expiresAt })
    .onConflict((conflict) => conflict.columns(["userId", "place"]).doUpdateSet({ failures: 0, expiresAt }))
    .execute();
}

/** Forgets a place, and the wrong passwords from it. */
export async function forgetPlace(db: DbOrTrx, userId: number, place: string): Promise<void> {
  await db.deleteFrom("loginPlaces").where("userId", "=", userId).where("place", "=", place).execute();
}

/** Forgets all places of an account. */
export async function forgetPlaces(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom("loginPlaces").where("userId", "=", userId).execute();
}

/** Forgets the wrong passwords from all places of an account; the places stay. */
export async function forgetPlaceFailures(trx: Trx, userId: number): Promise<void> {
  await trx.updateTable("loginPlaces").set({ failures: 0 }).where("userId", "=", userId).execute();
}
