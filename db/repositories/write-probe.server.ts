import { type DbOrTrx } from "../connection.server";

/** Stores a moment, for no other purpose than to see whether that can be done. */
export async function writeProbe(db: DbOrTrx, now: Date): Promise<void> {
  const row = { id: 1, writtenAt: now.toISOString() };
  await db
    .insertInto("writeProbes")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}

/** Reads what `writeProbe` stored, for no other purpose than to see whether that can be done. */
export async function readProbe(db: DbOrTrx): Promise<void> {
  await db.selectFrom("writeProbes").select("id").execute();
}
