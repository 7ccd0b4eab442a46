import { type ExpressionBuilder } from "kysely";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type Database, type DraftKind, type NewRow, type Row } from "../tables";

export type DraftRow = Row<"drafts">;

/**
 * Identifies a draft together with who looks for it, so that nobody finds a draft of somebody else. A draft of a company is found only while
 * the person works in that company: by the one who began it, and by the colleagues once it was handed over to them.
 */
export interface DraftKey {
  id: string;
  userId: number;
  kind: DraftKind;
}

export async function insertDraft(db: DbOrTrx, draft: NewRow<"drafts">): Promise<void> {
  await db.insertInto("drafts").values(draft).execute();
}

/** Returns an open draft, whoever began it. The caller must check who may see it. */
export const findDraftOfAnybody = async (db: DbOrTrx, { id, kind }: Omit<DraftKey, "userId">, now = new Date()) =>
  (await db
    .selectFrom("drafts")
    .selectAll()
    .where("id", "=", id)
    .where("kind", "=", kind)
    .where("expiresAt", ">", now.toISOString())
    .executeTakeFirst()) ?? null;

/** Whether the person may open a draft. */
const isOpenTo = (userId: number) => (eb: ExpressionBuilder<Database, "drafts">) => {
  const worksIn = eb.selectFrom("users").select("users.companyId").where("users.id", "=", userId);
  const isOfCompany = eb("drafts.companyId", "=", worksIn);
  return eb.or([
    eb.and([eb("drafts.userId", "=", userId), eb.or([eb("drafts.companyId", "is", null), isOfCompany])]),
    eb.and([eb("drafts.handedOverAt", "is not", null), isOfCompany]),
  ]);
};

/** Returns the draft if the person may open it and it has not expired, otherwise null. A draft that became an order is returned too, with its `orderId`. */
export async function findDraft(
  db: DbOrTrx,
  { id, userId, kind }: DraftKey,
  now = new Date(),
): Promise<DraftRow | null> {
  const row = await db
    .selectFrom("drafts")
    .selectAll()
    .where("id", "=", id)
    .where(isOpenTo(userId))
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
    .where(isOpenTo(userId))
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
  change: { data?: string; orderId?: number; expiresAt?: Date; handedOverAt?: Date },
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
    .where(isOpenTo(userId))
    .where("userId", "=", userId)
    .where("kind", "=", kind)
    .where("orderId", "is", null)
    .where("data", "!=", "{}")
    .where("expiresAt", ">", now.toISOString())
    .orderBy("updatedAt", "desc")
    .limit(LATEST)
    .execute();

/** Returns the open drafts of a kind that were handed over in a company, latest first. */
export const listHandedOver = (
  db: DbOrTrx,
  { companyId, kind }: { companyId: number; kind: DraftKind },
  now = new Date(),
) =>
  db
    .selectFrom("drafts")
    .selectAll()
    .where("companyId", "=", companyId)
    .where("kind", "=", kind)
    .where("handedOverAt", "is not", null)
    .where("orderId", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .orderBy("handedOverAt", "desc")
    .execute();

/**
 * Returns the open draft of a kind that this person could open in another of their companies than the one in which they work now, with that
 * company and their role in it, or null: it is their own, or was handed over.
 */
export const findDraftElsewhere = async (db: DbOrTrx, { id, userId, kind }: DraftKey, now = new Date()) =>
  (await db
    .selectFrom("drafts")
    .innerJoin("companies", "companies.id", "drafts.companyId")
    .innerJoin("memberships", "memberships.companyId", "drafts.companyId")
    .innerJoin("users", "users.id", "memberships.userId")
    .select(["companies.id as companyId", "companies.name as company", "memberships.role", "users.isApplicant"])
    .where("drafts.id", "=", id)
    .where("memberships.userId", "=", userId)
    .whereRef("users.companyId", "!=", "drafts.companyId")
    .where((eb) => eb.or([eb("drafts.userId", "=", userId), eb("drafts.handedOverAt", "is not", null)]))
    .where("drafts.kind", "=", kind)
    .where("drafts.orderId", "is", null)
    .where("drafts.expiresAt", ">", now.toISOString())
    .executeTakeFirst()) ?? null;

/** Returns the name of the company for which a person began a draft, when they are no longer a member of it, or null. */
export async function findLeftWithDraft(
  db: DbOrTrx,
  { id, userId, kind }: DraftKey,
  now = new Date(),
): Promise<string | null> {
  const row = await db
    .selectFrom("drafts")
    .innerJoin("companies", "companies.id", "drafts.companyId")
    .select("companies.name")
    .where("drafts.id", "=", id)
    .where("drafts.userId", "=", userId)
    .where("drafts.kind", "=", kind)
    .where("drafts.expiresAt", ">", now.toISOString())
    .where("drafts.companyId", "not in", (eb) =>
      eb.selectFrom("memberships").select("memberships.companyId").where("memberships.userId", "=", userId),
    )
    .executeTakeFirst();
  return row?.name ?? null;
}

/** Deletes drafts that have not become orders. Returns the ids of those that it deleted. */
export async function deleteOpenDrafts(trx: Trx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const open = trx.deleteFrom("drafts").where("id", "in", ids).where("orderId", "is", null);
  return (await open.returning("id").execute()).map(({ id }) => id);
}

/** Deletes expired drafts of one user, or of all users. Returns how many were deleted. */
export async function deleteExpiredDrafts(db: DbOrTrx, now: Date, userId?: number): Promise<number> {
  const expired = db.deleteFrom("drafts").where("expiresAt", "<=", now.toISOString());
  const { numDeletedRows } = await (
    userId === undefined ? expired : expired.where("userId", "=", userId)
  ).executeTakeFirst();
  return Number(numDeletedRows);
}
