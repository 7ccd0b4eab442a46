import { type DbOrTrx } from "../connection.server";

/** Writes a timestamp, only to check whether that is possible. */
export async function writeProbe(db: DbOrTrx, now: Date): Promise<void> {
  const row = { id: 1, writtenAt: now.toISOString() };
  await db
    .insertInto("writeProbes")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}

/** Reads the row of `writeProbe`, only to check whether that is possible. */
export async function readProbe(db: DbOrTrx): Promise<void> {
  await db.selectFrom("writeProbes").select("id").execute();
}
