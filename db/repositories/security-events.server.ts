import { type DbOrTrx } from "../connection.server";
import { type NewRow } from "../tables";

/** Stores an event and returns its id. */
export async function insertSecurityEvent(db: DbOrTrx, row: NewRow<"securityEvents">): Promise<number> {
  const { id } = await db.insertInto("securityEvents").values(row).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Counts further events in a row that stands for many. */
export async function addToSecurityEvent(db: DbOrTrx, id: number, times: number, lastAt: Date | string): Promise<void> {
  await db
    .updateTable("securityEvents")
    .set((eb) => ({ times: eb("times", "+", times), lastAt }))
    .where("id", "=", id)
    .execute();
}
