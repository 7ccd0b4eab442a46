import { type DbOrTrx, type Trx } from "../connection.server";
import { type DraftKind, type NewRow, type Row } from "../tables";

export type DraftRow = Row<"drafts">;

/** Identifies a draft together with its owner, so that nobody finds a draft of somebody else. */
export interface DraftKey {
  id: string;
  userId: number;
  kind: DraftKind;
}

export async function insertDraft(db: DbOrTrx, draft: NewRow<"drafts">): Promise<void> {
  await db.insertInto("drafts").values(draft).execute();
}

/** Returns the user's own draft if it has not expired, otherwise null. A draft that became an order is returned too, with its `orderId`. */
export async function findDraft(
  db: DbOrTrx,
  { id, userId, kind }: DraftKey,
  now = new Date(),
): Promise<DraftRow | null> {
  const row = await db
    .selectFrom("drafts")
    .selectAll()
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where("kind", "=", kind)
    .where("expiresAt", ">", now.toISOString())
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Returns the open draft and locks it against every other change until the transaction ends. Returns null when it has expired or became an
 * order.
 */
export async function lockDraft(trx: Trx, { id, userId, kind }: DraftKey, now = new Date()): Promise<DraftRow | null> {
  const row = await trx
    .updateTable("drafts")
    .set({ updatedAt: now })
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where("kind", "=", kind)
    .where("orderId", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function updateDraft(
  trx: Trx,
  id: string,
  change: { data: string; orderId?: number; expiresAt?: Date },
): Promise<void> {
  await trx.updateTable("drafts").set(change).where("id", "=", id).execute();
}

/** How many of a user's latest drafts are read to find one to resume. */
const LATEST = 20;

/** Returns the user's open drafts in which something was saved, last changed first. */
export const listOpenDrafts = (
  db: DbOrTrx,
  { userId, kind }: Omit<DraftKey, "id">,
  now = new Date(),
): Promise<DraftRow[]> =>
  db
    .selectFrom("drafts")
    .selectAll()
    .where("userId", "=", userId)
    .where("kind", "=", kind)
    .where("orderId", "is", null)
    .where("data", "!=", "{}")
    .where("expiresAt", ">", now.toISOString())
    .orderBy("updatedAt", "desc")
    .limit(LATEST)
    .execute();

/** Deletes expired drafts of one user, or of all users. Returns how many were deleted. */
export async function deleteExpiredDrafts(db: DbOrTrx, now: Date, userId?: number): Promise<number> {
  const expired = db.deleteFrom("drafts").where("expiresAt", "<=", now.toISOString());
  const { numDeletedRows } = await (
    userId === undefined ? expired : expired.where("userId", "=", userId)
  ).executeTakeFirst();
  return Number(numDeletedRows);
}
