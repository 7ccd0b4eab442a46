import { type ExpressionBuilder } from "kysely";
import { withTolerance } from "~/lib/clock";
import { DAY } from "~/lib/dates";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type Database, type NewRow, type Row } from "../tables";
import { heldFor, isHeld } from "./held-mails.server";

export type Mail = Row<"mails">;

/** Selects one message, those of an order, or all. */
export interface MailSelection {
  id?: number;
  orderId?: number;
  dedupeKey?: string;
}

/** Adds messages to the queue. Those whose keys exist already are left out. All rows have values for the same columns. */
export async function insertMails(db: DbOrTrx, mails: readonly NewRow<"mails">[]): Promise<void> {
  if (mails.length === 0) return;
  await db
    .insertInto("mails")
    .values(mails)
    .onConflict((conflict) => conflict.column("dedupeKey").doNothing())
    .execute();
}

/** Returns those of the keys that a stored message has. */
export async function listKnownKeys(db: DbOrTrx, keys: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom("mails").select("dedupeKey").where("dedupeKey", "in", keys).execute();
  return rows.map(({ dedupeKey }) => dedupeKey);
}

/** How many messages of one kind about an order went to its present contact, and when the first and the latest one were queued. */
export interface ContactMails {
  count: number;
  first: string;
  last: string;
}

/**
 * Returns the messages of this kind to the present authentication contact of each of these orders, by order id. Messages that are held or
 * dismissed do not count, and orders without a message are left out.
 */
export async function countContactMails(
  db: DbOrTrx,
  kind: string,
  orderIds: readonly number[],
): Promise<Map<number, ContactMails>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("mails")
    .innerJoin("certificates", (join) =>
      join
        .onRef("certificates.orderId", "=", "mails.orderId")
        .onRef("certificates.authenticationEmail", "=", "mails.recipient"),
    )
    .select(({ fn }) => [
      "certificates.orderId",
      fn.countAll<number>().as("count"),
      fn.min("mails.createdAt").as("first"),
      fn.max("mails.createdAt").as("last"),
    ])
    .where("mails.orderId", "in", orderIds)
    .where("mails.dedupeKey", "like", `${kind}:%`)
    .where((eb) => eb.or([eb("mails.sentAt", "is not", null), eb("mails.awaitsUserId", "is", null)]))
    .where("mails.dismissedAt", "is", null)
    .groupBy("certificates.orderId")
    .execute();
  return new Map(rows.map(({ orderId, ...sent }) => [orderId, sent]));
}

/** Removes the unsent messages of this kind about an order from the queue. */
export async function dropOrderMails(trx: Trx, kind: string, orderId: number, now: Date): Promise<void> {
  await trx
    .updateTable("mails")
    .set({ dismissedAt: now, leasedUntil: null, ...WITHOUT_TEXT })
    .where("orderId", "=", orderId)
    .where("dedupeKey", "like", `${kind}:%`)
    .where("sentAt", "is", null)
    .where("dismissedAt", "is", null)
    .execute();
}

export interface MailClaim extends MailSelection {
  now: Date;
  /** End of the leases. The code also derives from it how late a lease can end. */
  until: Date;
  limit: number;
  /** Whether leases that have ended are taken over. True by default. */
  takesOver?: boolean;
  /** Leaves out messages with an invoice that were queued later than this. */
  invoicesBefore?: Date | null;
}

/** Attempts are hours apart, so no next attempt is further away than this. */
const LONGEST_WAIT_MS = DAY;

type Builder = ExpressionBuilder<Database, "mails">;

/**
 * Returns an expression for whether the message was not tried yet or its wait is over. Timestamps of a wrong clock are ignored: a next
 * attempt that is further ahead than any can be, or a last attempt in the future.
 */
const isDue = (eb: Builder, now: Date) =>
  eb.or([
    eb("attempts", "=", 0),
    eb("nextAttemptAt", "<=", now.toISOString()),
    eb("nextAttemptAt", ">", new Date(now.getTime() + LONGEST_WAIT_MS).toISOString()),
    eb("triedAt", ">", withTolerance(now).toISOString()),
  ]);

/** Returns an expression for whether the message has no lease, or one that has ended or ends later than any lease can. */
const isFree = (eb: Builder, { now, until, takesOver = true }: MailClaim) =>
  eb.or([
    eb("leasedUntil", "is", null),
    ...(takesOver
      ? [eb("leasedUntil", "<=", now.toISOString()), eb("leasedUntil", ">", withTolerance(until).toISOString())]
      : []),
  ]);

const isClaimable = (eb: Builder, claim: MailClaim) =>
  eb.and([
    eb("sentAt", "is", null),
    eb("rejectedAt", "is", null),
    eb("dismissedAt", "is", null),
    isDue(eb, claim.now),
    isFree(eb, claim),
    eb.not(isHeld(eb)),
  ]);

const due = (db: DbOrTrx, claim: MailClaim) => {
  const { id, orderId, dedupeKey, invoicesBefore } = claim;
  let query = db.selectFrom("mails").where((eb) => isClaimable(eb, claim));
  if (id !== undefined) query = query.where("id", "=", id);
  if (orderId !== undefined) query = query.where("orderId", "=", orderId);
  if (dedupeKey !== undefined) query = query.where("dedupeKey", "=", dedupeKey);
  if (invoicesBefore)
    query = query.where((eb) =>
      eb.or([eb("invoiceId", "is", null), eb("createdAt", "<=", invoicesBefore.toISOString())]),
    );
  return query;
};

/**
 * Leases up to `limit` due messages to the caller until `until` and counts the attempt. Each message goes to only one of several concurrent
 * processes: the condition is repeated on the row itself, which a second process waits for and reads again.
 */
export function claimDueMails(db: DbOrTrx, claim: MailClaim): Promise<Mail[]> {
  const { now, until, limit } = claim;
  return db
    .updateTable("mails")
    .set((eb) => ({ leasedUntil: until, triedAt: now, attempts: eb("attempts", "+", 1) }))
    .where("id", "in", due(db, claim).select("id").orderBy("nextAttemptAt").orderBy("id").limit(limit))
    .where((eb) => isClaimable(eb, claim))
    .returningAll()
    .execute();
}

/** The columns that are emptied as soon as a message is sent or dismissed, because its codes and links are for the recipient only. */
export const WITHOUT_TEXT = { text: "", html: "", stopUrl: null };

/** Removes a message that is no longer needed from the queue. */
export async function dropMail(db: DbOrTrx, id: number, now: Date): Promise<void> {
  await db
    .updateTable("mails")
    .set({ dismissedAt: now, leasedUntil: null, ...WITHOUT_TEXT })
    .where("id", "=", id)
    .where("sentAt", "is", null)
    .execute();
}

/** What takes the place of the recipient in the last message to a person whose data was erased. */
const WITHOUT_RECIPIENT = { recipient: "erased.invalid", lastError: null };

/**
 * Records that a message was sent, and empties its text.
 *
 * @param isLast Whether it was the last message to a person whose data was erased. The recipient is then replaced, too.
 */
export async function markMailSent(db: DbOrTrx, id: number, now: Date, isLast = false): Promise<void> {
  const sent = { sentAt: now, leasedUntil: null, lastError: null, failingSince: null, rejectedAt: null };
  await db
    .updateTable("mails")
    .set({ ...sent, ...WITHOUT_TEXT, ...(isLast && WITHOUT_RECIPIENT) })
    .where("id", "=", id)
    .execute();
}

/**
 * Gives up the messages of this kind that the mail server refused permanently or that were queued before this time, and replaces the
 * recipient of all that wait for nothing any more. Returns how many there were.
 */
export async function eraseLastMails(db: DbOrTrx, kind: string, before: Date, now: Date): Promise<number> {
  const isLast = (eb: Builder) => eb("dedupeKey", "like", `${kind}:%`);
  await db
    .updateTable("mails")
    .set({ dismissedAt: now, leasedUntil: null, ...WITHOUT_TEXT })
    .where(isLast)
    .where("sentAt", "is", null)
    .where("dismissedAt", "is", null)
    .where((eb) => eb.or([eb("rejectedAt", "is not", null), eb("createdAt", "<", before.toISOString())]))
    .execute();
  const { numUpdatedRows } = await db
    .updateTable("mails")
    .set(WITHOUT_RECIPIENT)
    .where(isLast)
    .where("recipient", "!=", WITHOUT_RECIPIENT.recipient)
    .where((eb) => eb.or([eb("sentAt", "is not", null), eb("dismissedAt", "is not", null)]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export interface FailedTry {
  error: string;
  now: Date;
  /** Null when the mail server refused the message permanently. */
  nextAttemptAt: Date | null;
}

/**
 * Records a failed attempt. The message returns to the queue, or leaves it when it was refused permanently.
 * @param mail The message as it was claimed. Nothing happens if it was sent or claimed again since then.
 */
export async function markMailFailed(
  db: DbOrTrx,
  { id, attempts }: Pick<Mail, "id" | "attempts">,
  { error, now, nextAttemptAt }: FailedTry,
): Promise<void> {
  await db
    .updateTable("mails")
    .set((eb) => ({
      ...(nextAttemptAt ? { nextAttemptAt } : { rejectedAt: now }),
      leasedUntil: null,
      lastError: error.slice(0, 500),
      failingSince: eb.fn.coalesce("failingSince", eb.val(now.toISOString())),
    }))
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .where("sentAt", "is", null)
    .execute();
}

/** Makes every unsent message due now, including rejected ones, but not those that are dismissed or held. Returns how many. */
export async function makeMailsDue(db: DbOrTrx, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("mails")
    .set({ nextAttemptAt: now, rejectedAt: null })
    .where("sentAt", "is", null)
    .where("dismissedAt", "is", null)
    .where((eb) => eb.not(isHeld(eb)))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export type DeliveryState = Pick<Mail, "sentAt" | "leasedUntil">;

/** Returns the state of one message, or of the latest message of an order to the order's owner. Returns null when there is none. */
export async function findDeliveryState(
  db: DbOrTrx,
  { id, orderId, dedupeKey }: MailSelection,
): Promise<DeliveryState | null> {
  const mails = db.selectFrom("mails").select(["mails.sentAt", "mails.leasedUntil"]);
  const latestToOwner = () =>
    mails
      .innerJoin("orders", "orders.id", "mails.orderId")
      .innerJoin("users", "users.id", "orders.userId")
      .where("orders.id", "=", orderId ?? 0)
      .whereRef("users.email", "=", "mails.recipient")
      .orderBy("mails.id", "desc")
      .limit(1);
  const query =
    id !== undefined
      ? mails.where("mails.id", "=", id)
      : dedupeKey !== undefined
        ? mails.where("mails.dedupeKey", "=", dedupeKey)
        : latestToOwner();
  return (await query.executeTakeFirst()) ?? null;
}

/** Returns waiting messages first, then the latest ones that were sent or dismissed, at most `limit` in all. */
export function listMails(db: DbOrTrx, limit: number) {
  return db
    .selectFrom("mails")
    .selectAll()
    .select((eb) => heldFor(eb).as("heldFor"))
    .orderBy((eb) => {
      const isWaiting = eb.and([eb("sentAt", "is", null), eb("dismissedAt", "is", null)]);
      return eb.case().when(isWaiting).then(0).else(1).end();
    })
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export type ListedMail = Awaited<ReturnType<typeof listMails>>[number];

/** Deletes up to `limit` messages that were sent or dismissed before this time. Returns how many. */
export async function deleteMails(db: DbOrTrx, before: Date, limit: number): Promise<number> {
  const timestamp = before.toISOString();
  const old = db
    .selectFrom("mails")
    .select("id")
    .where((eb) =>
      eb.or([
        eb("sentAt", "<", timestamp),
        eb.and([eb("sentAt", "is", null), eb("dismissedAt", "<", timestamp)]), // most messages are sent, and an index finds the others
      ]),
    )
    .limit(limit);
  const { numDeletedRows } = await db.deleteFrom("mails").where("id", "in", old).executeTakeFirst();
  return Number(numDeletedRows);
}
