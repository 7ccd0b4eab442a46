import { type DbOrTrx } from "../connection.server";

/** Records that a session was ended early. The row can be deleted after `expiresAt`. */
export async function noteEndedSession(db: DbOrTrx, id: string, expiresAt: Date): Promise<void> {
  await db
    .insertInto("endedSessions")
    .values({ id, expiresAt })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

export async function isEndedSession(db: DbOrTrx, id: string): Promise<boolean> {
  const row = await db.selectFrom("endedSessions").select("id").where("id", "=", id).executeTakeFirst();
  return row !== undefined;
}
