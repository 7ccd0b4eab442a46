import { type ExpressionBuilder } from "kysely";
import { withTolerance } from "~/lib/clock";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type Database, type NewRow, type Row } from "../tables";

export type WebhookDelivery = Row<"webhookDeliveries">;

/** Stays below the number of values that either database accepts in one statement. */
const ROWS_AT_ONCE = 500;

/** Adds deliveries. Those whose source the endpoint has already are left out. Returns how many were added. */
export async function insertDeliveries(db: DbOrTrx, deliveries: readonly NewRow<"webhookDeliveries">[]) {
  let added = 0;
  for (let from = 0; from < deliveries.length; from += ROWS_AT_ONCE) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto("webhookDeliveries")
      .values(deliveries.slice(from, from + ROWS_AT_ONCE))
      .onConflict((conflict) => conflict.columns(["endpointId", "source"]).doNothing())
      .executeTakeFirstOrThrow();
    added += Number(numInsertedOrUpdatedRows);
  }
  return added;
}

/** Adds one delivery. Returns its id. */
export const insertDelivery = async (trx: Trx, delivery: NewRow<"webhookDeliveries">): Promise<number> =>
  (await trx.insertInto("webhookDeliveries").values(delivery).returning("id").executeTakeFirstOrThrow()).id;

/** Returns a delivery to an endpoint, or null. */
export const findDelivery = async (
  db: DbOrTrx,
  { id, endpointId }: Pick<WebhookDelivery, "id" | "endpointId">,
): Promise<WebhookDelivery | null> =>
  (await db
    .selectFrom("webhookDeliveries")
    .selectAll()
    .where("id", "=", id)
    .where("endpointId", "=", endpointId)
    .executeTakeFirst()) ?? null;

export const countDeliveries = async (db: DbOrTrx, endpointId: number): Promise<number> =>
  (
    await db
      .selectFrom("webhookDeliveries")
      .select(({ fn }) => fn.countAll<number>().as("total"))
      .where("endpointId", "=", endpointId)
      .executeTakeFirstOrThrow()
  ).total;

/** Returns one page of the deliveries to an endpoint, the latest first, without their bodies. */
export const listDeliveries = (
  db: DbOrTrx,
  endpointId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<Omit<WebhookDelivery, "body">[]> =>
  db
    .selectFrom("webhookDeliveries")
    .select(["id", "endpointId", "source", "messageId", "event", "createdAt", "begunAt", "attempts", "nextAttemptAt"])
    .select(["triedAt", "leasedUntil", "deliveredAt", "givenUpAt", "statusCode", "lastError"])
    .where("endpointId", "=", endpointId)
    .orderBy("id", "desc")
    .offset(offset)
    .limit(limit)
    .execute();

type Builder = ExpressionBuilder<Database, "webhookDeliveries">;

const isWaitingDelivery = (eb: Builder) => eb.and([eb("deliveredAt", "is", null), eb("givenUpAt", "is", null)]);

export interface DeliveryClaim {
  /** Only this delivery, even if its next try is not due. */
  id?: number | undefined;
  /** Endpoints to which something is being sent. They wait. */
  busy: readonly number[];
  now: Date;
  /** End of the leases. */
  until: Date;
  limit: number;
}

/** Returns an expression for whether the delivery has no lease, or one that has ended or ends later than any lease can. */
const isFreeDelivery = (eb: Builder, { now, until }: DeliveryClaim) =>
  eb.or([
    eb("leasedUntil", "is", null),
    eb("leasedUntil", "<=", now.toISOString()),
    eb("leasedUntil", ">", withTolerance(until).toISOString()),
  ]);

const isClaimableDelivery = (eb: Builder, claim: DeliveryClaim) =>
  eb.and([
    isWaitingDelivery(eb),
    isFreeDelivery(eb, claim),
    claim.id === undefined ? eb("nextAttemptAt", "<=", claim.now.toISOString()) : eb("id", "=", claim.id),
  ]);

/** Selects the ids of the first due delivery of each endpoint that is not paused. */
function dueDeliveries(db: DbOrTrx, claim: DeliveryClaim) {
  const query = db
    .selectFrom("webhookDeliveries")
    .select(({ fn }) => fn.min("webhookDeliveries.id").as("id"))
    .where((eb) => isClaimableDelivery(eb, claim))
    .groupBy("endpointId")
    .limit(claim.limit);
  if (claim.id !== undefined) return query;
  const open = db.selectFrom("webhookEndpoints").select("webhookEndpoints.id").where("pausedAt", "is", null);
  return query.where("endpointId", "in", claim.busy.length > 0 ? open.where("id", "not in", claim.busy) : open);
}

/**
 * Leases due deliveries to the caller until `until`, at most one of each endpoint, and counts the try. Each delivery goes to only one of
 * several concurrent processes: the condition is repeated on the row itself, which a second process waits for and reads again.
 */
export const claimDeliveries = (db: DbOrTrx, claim: DeliveryClaim): Promise<WebhookDelivery[]> =>
  db
    .updateTable("webhookDeliveries")
    .set((eb) => ({ leasedUntil: claim.until, triedAt: claim.now, attempts: eb("attempts", "+", 1) }))
    .where("id", "in", dueDeliveries(db, claim))
    .where((eb) => isClaimableDelivery(eb, claim))
    .returningAll()
    .execute();

type DeliveryOutcome = Pick<
  NewRow<"webhookDeliveries">,
  "deliveredAt" | "givenUpAt" | "nextAttemptAt" | "statusCode" | "lastError"
>;

/**
 * Records the outcome of a try. Returns false when the delivery was claimed again, sent again or removed since it was claimed.
 * @param delivery The delivery as it was claimed.
 */
export async function storeOutcome(
  trx: Trx,
  { id, attempts, begunAt }: Pick<WebhookDelivery, "id" | "attempts" | "begunAt">,
  outcome: Partial<DeliveryOutcome>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("webhookDeliveries")
    .set({ ...outcome, leasedUntil: null })
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .where("begunAt", "=", begunAt)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Begins the tries of a delivery again, and makes it due now. */
export async function restartDelivery(trx: Trx, id: number, now: Date): Promise<void> {
  const fresh = { deliveredAt: null, givenUpAt: null, leasedUntil: null, statusCode: null, lastError: null };
  await trx
    .updateTable("webhookDeliveries")
    .set({ ...fresh, begunAt: now, attempts: 0, nextAttemptAt: now })
    .where("id", "=", id)
    .execute();
}

/** Makes everything that waits for this endpoint due now. */
export async function makeDeliveriesDue(trx: Trx, endpointId: number, now: Date): Promise<void> {
  await trx
    .updateTable("webhookDeliveries")
    .set({ nextAttemptAt: now })
    .where("endpointId", "=", endpointId)
    .where(isWaitingDelivery)
    .execute();
}

/** Gives up what has waited for a paused endpoint since before this time. Returns how many deliveries there were. */
export async function giveUpPaused(db: DbOrTrx, before: Date, now: Date, why: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("webhookDeliveries")
    .set((eb) => ({ givenUpAt: now, lastError: eb.fn.coalesce("lastError", eb.val(why)) }))
    .where(isWaitingDelivery)
    .where("begunAt", "<", before.toISOString())
    .where("endpointId", "in", (eb) =>
      eb.selectFrom("webhookEndpoints").select("webhookEndpoints.id").where("pausedAt", "is not", null),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes up to `limit` deliveries that were made before this time. Returns how many. */
export async function deleteDeliveries(db: DbOrTrx, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom("webhookDeliveries")
    .select("id")
    .where("createdAt", "<", before.toISOString())
    .limit(limit);
  const { numDeletedRows } = await db.deleteFrom("webhookDeliveries").where("id", "in", old).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Returns how many deliveries to endpoints that are not paused wait for their first try, how many fail, and when the oldest was queued. */
export async function findDeliveryFigures(db: DbOrTrx) {
  const { all, failing, oldest } = await db
    .selectFrom("webhookDeliveries")
    .select((eb) => [
      eb.fn.countAll<number>().as("all"),
      eb.fn.countAll<number>().filterWhere("lastError", "is not", null).as("failing"),
      eb.fn.min("begunAt").as("oldest"),
    ])
    .where(isWaitingDelivery)
    .where("endpointId", "in", (eb) =>
      eb.selectFrom("webhookEndpoints").select("webhookEndpoints.id").where("pausedAt", "is", null),
    )
    .executeTakeFirstOrThrow();
  return { waiting: all - failing, failing, oldest };
}
