import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type DualControlRow = Row<"dualControlRequests">;

/** Stores a request and returns its id. */
export const insertDualControlRequest = async (trx: Trx, request: NewRow<"dualControlRequests">): Promise<number> =>
  (await trx.insertInto("dualControlRequests").values(request).returning("id").executeTakeFirstOrThrow()).id;

/** Returns the requests that can still be decided, about all accounts or about one, oldest first. */
export function listOpenRequests(db: DbOrTrx, now: Date, userId?: number): Promise<DualControlRow[]> {
  const open = db
    .selectFrom("dualControlRequests")
    .selectAll()
    .where("outcome", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .orderBy("id");
  return (userId === undefined ? open : open.where("userId", "=", userId)).execute();
}

export const findDualControlRequest = async (db: DbOrTrx, id: number): Promise<DualControlRow | null> =>
  (await db.selectFrom("dualControlRequests").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;

/** Stores the decision about an open request. Returns false when it was decided or has expired. Only one of two callers gets true. */
export async function decideOpenRequest(
  trx: Trx,
  id: number,
  { decidedBy, outcome }: { decidedBy: number; outcome: "approved" | "refused" },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("dualControlRequests")
    .set({ decidedBy, outcome, decidedAt: now })
    .where("id", "=", id)
    .where("outcome", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
