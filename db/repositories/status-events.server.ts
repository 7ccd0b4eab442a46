import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type StatusEvent = Row<"statusEvents">;

/** Returns the latest events, those that last and those that are over, by their beginning. */
export const listStatusEvents = (db: DbOrTrx, limit: number): Promise<StatusEvent[]> =>
  db.selectFrom("statusEvents").selectAll().orderBy("begunAt", "desc").orderBy("id", "desc").limit(limit).execute();

/** Returns the events that last. */
export const listOpenStatusEvents = (db: DbOrTrx): Promise<StatusEvent[]> =>
  db.selectFrom("statusEvents").selectAll().where("endedAt", "is", null).execute();

/** Returns the times in which the portal was down that ended after `from`, by their beginning. */
export const listDownTimes = (db: DbOrTrx, from: Date): Promise<StatusEvent[]> =>
  db
    .selectFrom("statusEvents")
    .selectAll()
    .where("kind", "=", "down")
    .where("endedAt", ">", from.toISOString())
    .orderBy("begunAt")
    .execute();

/** Inserts an event, unless the same one lasts already. */
export async function insertStatusEvent(trx: Trx, event: NewRow<"statusEvents">): Promise<void> {
  await trx
    .insertInto("statusEvents")
    .values(event)
    .onConflict((conflict) => conflict.columns(["kind", "subject"]).where("endedAt", "is", null).doNothing())
    .execute();
}

/** Ends events by their ids. */
export async function endStatusEvents(trx: Trx, ids: readonly number[], endedAt: Date): Promise<void> {
  if (ids.length > 0) await trx.updateTable("statusEvents").set({ endedAt }).where("id", "in", ids).execute();
}

/** Deletes the events that ended before this time. */
export async function deleteOldStatusEvents(trx: Trx, before: Date): Promise<void> {
  await trx.deleteFrom("statusEvents").where("endedAt", "<", before.toISOString()).execute();
}
