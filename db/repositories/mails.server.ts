import { type ExpressionBuilder } from "kysely";
import { DAY } from "~/lib/dates";
import { type DbOrTrx } from "../connection.server";
import { type Database, type NewRow, type Row } from "../tables";

export type Mail = Row<"mails">;

/** Which messages: one, those of an order, or all. */
export interface MailSelection {
  id?: number;
  orderId?: number;
}

/** Stores a message unless its key is known. */
export async function insertMail(db: DbOrTrx, mail: NewRow<"mails">): Promise<void> {
  await db
    .insertInto("mails")
    .values(mail)
    .onConflict((conflict) => conflict.column("dedupeKey").doNothing())
    .execute();
}

/** Tries lie hours apart and leases last minutes: a moment further ahead was set by a clock that was wrong, and counts as past. */
const LONGEST_WAIT_MS = DAY;

type Builder = ExpressionBuilder<Database, "mails">;

const isPast = (eb: Builder, column: "nextAttemptAt" | "leasedUntil", now: Date) =>
  eb.or([
    eb(column, "<=", now.toISOString()),
    eb(column, ">", new Date(now.getTime() + LONGEST_WAIT_MS).toISOString()),
  ]);

const isFree = (eb: Builder, now: Date) => eb.or([eb("leasedUntil", "is", null), isPast(eb, "leasedUntil", now)]);

const due = (db: DbOrTrx, { id, orderId }: MailSelection, now: Date) => {
  let query = db
    .selectFrom("mails")
    .where("sentAt", "is", null)
    .where((eb) => isPast(eb, "nextAttemptAt", now))
    .where((eb) => isFree(eb, now));
  if (id !== undefined) query = query.where("id", "=", id);
  if (orderId !== undefined) query = query.where("orderId", "=", orderId);
  return query;
};

/**
 * Leases up to `limit` due messages to the caller until `until` and counts the attempt. Of several processes that ask
 * at once each message goes to one: the condition is repeated on the row itself, which a second caller waits for and re-reads.
 */
export function claimDueMails(
  db: DbOrTrx,
  { now, until, limit, ...selection }: MailSelection & { now: Date; until: Date; limit: number },
): Promise<Mail[]> {
  return db
    .updateTable("mails")
    .set((eb) => ({ leasedUntil: until, attempts: eb("attempts", "+", 1) }))
    .where("id", "in", due(db, selection, now).select("id").orderBy("nextAttemptAt").orderBy("id").limit(limit))
    .where("sentAt", "is", null)
    .where((eb) => isFree(eb, now))
    .returningAll()
    .execute();
}

/** Notes that a message is on its way. Its text goes: codes and links in it are for its reader alone. */
export async function markMailSent(db: DbOrTrx, id: number, now: Date): Promise<void> {
  await db
    .updateTable("mails")
    .set({ sentAt: now, leasedUntil: null, lastError: null, text: "", html: "" })
    .where("id", "=", id)
    .execute();
}

/** Gives the message back to the queue for `nextAttemptAt`; one that another attempt has sent stays sent. */
export async function markMailFailed(db: DbOrTrx, id: number, error: string, nextAttemptAt: Date): Promise<void> {
  await db
    .updateTable("mails")
    .set({ nextAttemptAt, leasedUntil: null, lastError: error.slice(0, 500) })
    .where("id", "=", id)
    .where("sentAt", "is", null)
    .execute();
}

/** Makes every waiting message due now. Out: how many there are. */
export async function makeMailsDue(db: DbOrTrx, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("mails")
    .set({ nextAttemptAt: now })
    .where("sentAt", "is", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export type DeliveryState = Pick<Mail, "sentAt" | "leasedUntil">;

/** State of one message, or of the youngest message of an order to the order's owner; null when there is none. */
export async function findDeliveryState(db: DbOrTrx, { id, orderId }: MailSelection): Promise<DeliveryState | null> {
  const mails = db.selectFrom("mails").select(["mails.sentAt", "mails.leasedUntil"]);
  const query =
    id !== undefined
      ? mails.where("mails.id", "=", id)
      : mails
          .innerJoin("orders", "orders.id", "mails.orderId")
          .innerJoin("users", "users.id", "orders.userId")
          .where("orders.id", "=", orderId ?? 0)
          .whereRef("users.email", "=", "mails.recipient")
          .orderBy("mails.id", "desc")
          .limit(1);
  return (await query.executeTakeFirst()) ?? null;
}

/** Waiting messages first, then the youngest sent ones; at most `limit`. */
export function listMails(db: DbOrTrx, limit: number): Promise<Mail[]> {
  return db
    .selectFrom("mails")
    .selectAll()
    .orderBy((eb) => eb.case().when("sentAt", "is", null).then(0).else(1).end())
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
