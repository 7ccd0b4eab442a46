import { type DbOrTrx, type Trx } from "../connection.server";
import { type DraftKind, type NewRow, type Row } from "../tables";

export type DraftRow = Row<"drafts">;

/** Names a draft together with its owner: somebody else's draft is never found. */
export interface DraftKey {
  id: string;
  userId: number;
  kind: DraftKind;
}

export async function insertDraft(db: DbOrTrx, draft: NewRow<"drafts">): Promise<void> {
  await db.insertInto("drafts").values(draft).execute();
}

/** The user's own draft if it has not ended; one that became an order is found too, with its `orderId`. */
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

/** The open draft, held against every other change until the transaction ends; null when it ended or became an order. */
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

/** How many of a user's drafts are looked at when one is to be resumed. */
const LATEST = 20;

/** The user's open drafts in which something was saved, the one that was changed last first. */
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

/** Removes drafts that have ended, of one user or of all. Out: how many. */
export async function deleteExpiredDrafts(db: DbOrTrx, now: Date, userId?: number): Promise<number> {
  const expired = db.deleteFrom("drafts").where("expiresAt", "<=", now.toISOString());
  const { numDeletedRows } = await (
    userId === undefined ? expired : expired.where("userId", "=", userId)
  ).executeTakeFirst();
  return Number(numDeletedRows);
}
