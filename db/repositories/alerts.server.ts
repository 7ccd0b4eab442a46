import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type AlertRow = Row<"alerts">;

/** Returns the alerts that have not been removed, the latest first. */
export const listAlerts = (db: DbOrTrx): Promise<AlertRow[]> =>
  db.selectFrom("alerts").selectAll().orderBy("heldSince", "desc").orderBy("id", "desc").execute();

export async function insertAlert(trx: Trx, alert: NewRow<"alerts">): Promise<void> {
  await trx.insertInto("alerts").values(alert).execute();
}

/** Changes alerts by their ids. */
export async function updateAlertRows(
  trx: Trx,
  ids: readonly number[],
  change: Partial<NewRow<"alerts">>,
): Promise<void> {
  if (ids.length > 0) await trx.updateTable("alerts").set(change).where("id", "in", ids).execute();
}

export async function deleteAlert(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom("alerts").where("id", "=", id).execute();
}

/** Deletes the alerts that ended before this time. */
export async function deleteEndedAlerts(trx: Trx, before: Date): Promise<void> {
  await trx.deleteFrom("alerts").where("endedAt", "<", before.toISOString()).execute();
}

/** Returns how many alerts have begun and not ended. */
export async function countOpenAlerts(db: DbOrTrx): Promise<number> {
  const open = db.selectFrom("alerts").where("begunAt", "is not", null).where("endedAt", "is", null);
  return (await open.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}
