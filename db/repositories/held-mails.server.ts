import { type ExpressionBuilder, sql } from "kysely";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type Database, type Row } from "../tables";

type Builder = ExpressionBuilder<Database, "mails">;

/** Why a message is held: the address of its account is not confirmed, or its recipient wants no messages as a contact. */
export type HeldFor = "unconfirmed" | "stopped";

const isAwaiting = (eb: Builder) =>
  eb.exists(
    eb
      .selectFrom("users")
      .select("users.id")
      .whereRef("users.id", "=", "mails.awaitsUserId")
      .where("users.emailVerifiedAt", "is", null),
  );

const isStopped = (eb: Builder) =>
  eb.and([
    eb("mails.isContact", "=", true),
    eb.exists(
      eb
        .selectFrom("contactStops")
        .select("contactStops.email")
        .where("contactStops.email", "=", sql<string>`lower(${eb.ref("mails.recipient")})`),
    ),
  ]);

/**
 * Returns an expression for whether a message is held. This is computed in each query and not stored, so that any change that ends the
 * reason releases the message.
 */
export const isHeld = (eb: Builder) => eb.or([isAwaiting(eb), isStopped(eb)]);

/** Returns the reason for holding a message as a column, null for a message that is not held. */
export const heldFor = (eb: Builder) =>
  eb
    .case()
    .when(isStopped(eb))
    .then(sql<HeldFor>`'stopped'`)
    .when(isAwaiting(eb))
    .then(sql<HeldFor>`'unconfirmed'`)
    .else(null)
    .end();

/**
 * Returns an expression for when a message became ready to send: when it was queued or, if it was held, when the address of its account was
 * confirmed.
 */
export const sendableSince = (eb: Builder) => {
  const confirmedAt = eb
    .selectFrom("users")
    .select("users.emailVerifiedAt")
    .whereRef("users.id", "=", "mails.awaitsUserId");
  return sql<string>`coalesce(${confirmedAt}, ${eb.ref("mails.createdAt")})`;
};

/** Returns the held messages of an order, each with its reason. */
export const listHeldOfOrder = (db: DbOrTrx, orderId: number) =>
  db
    .selectFrom("mails")
    .select((eb) => ["dedupeKey", "recipient", "isContact", heldFor(eb).as("heldFor")])
    .where("orderId", "=", orderId)
    .where("sentAt", "is", null)
    .where("dismissedAt", "is", null)
    .where(isHeld)
    .orderBy("id")
    .execute();

export type HeldOfOrder = Awaited<ReturnType<typeof listHeldOfOrder>>[number];

/** Returns how many messages wait until the address of this account is confirmed. */
export async function countAwaiting(db: DbOrTrx, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom("mails")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("awaitsUserId", "=", userId)
    .where("sentAt", "is", null)
    .where("dismissedAt", "is", null)
    .where(isAwaiting)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Returns how many messages to this address were queued since then for its account without being held. `kinds` restricts the count to
 * messages of these kinds, or excludes them.
 */
export async function countToOwner(
  db: DbOrTrx,
  recipient: string,
  since: Date,
  kinds: { only: readonly string[] } | { without: readonly string[] },
): Promise<number> {
  const { count } = await db
    .selectFrom("mails")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("recipient", "=", recipient)
    .where("createdAt", ">", since.toISOString())
    .where("isContact", "=", false)
    .where("awaitsUserId", "is", null)
    .where((eb) => {
      const ofKinds = (names: readonly string[]) => eb.or(names.map((name) => eb("dedupeKey", "like", `${name}:%`)));
      return "only" in kinds ? ofKinds(kinds.only) : eb.not(ofKinds(kinds.without));
    })
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Changes the recipient of messages that wait for an account whose address was changed before it was confirmed. */
export async function readdressAwaiting(trx: Trx, userId: number, recipient: string): Promise<void> {
  await trx
    .updateTable("mails")
    .set({ recipient })
    .where("awaitsUserId", "=", userId)
    .where("isContact", "=", false)
    .where("sentAt", "is", null)
    .execute();
}

/** Returns when an address asked for no more messages as a contact, or null. Upper and lower case are equal. */
export const findContactStop = async (db: DbOrTrx, email: string): Promise<Row<"contactStops"> | null> =>
  (await db.selectFrom("contactStops").selectAll().where("email", "=", email.toLowerCase()).executeTakeFirst()) ?? null;

/** Returns which of these addresses want no more messages as contacts, in lower case. */
export async function listContactStops(db: DbOrTrx, emails: readonly string[]): Promise<Set<string>> {
  if (emails.length === 0) return new Set();
  const asked = emails.map((email) => email.toLowerCase());
  const rows = await db.selectFrom("contactStops").select("email").where("email", "in", asked).execute();
  return new Set(rows.map(({ email }) => email));
}

/** Returns the certificate orders that wait for the answer of this contact, each with its owner, oldest first. */
export const listUnanswered = (db: DbOrTrx, email: string) =>
  db
    .selectFrom("certificates")
    .select(["orderId", "userId", "companyId"])
    .where("status", "=", "Pending")
    .where("contactAnswer", "is", null)
    .where(({ fn }) => fn("lower", ["authenticationEmail"]), "=", email.toLowerCase())
    .orderBy("orderId")
    .execute();

/** Stops messages to a contact. `email` is in lower case. Returns false when they were stopped before. */
export async function insertContactStop(
  trx: Trx,
  stop: { email: string; stoppedAt: Date; orderId: number | null },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("contactStops")
    .values(stop)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Allows messages to a contact again. Returns false when they were not stopped. */
export async function deleteContactStop(trx: Trx, email: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("contactStops")
    .where("email", "=", email.toLowerCase())
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
