import { type ExpressionBuilder, sql } from "kysely";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type Database, type Row } from "../tables";

type Builder = ExpressionBuilder<Database, "mails">;

/** Why a message is held: its account's address is not confirmed, or its reader wants no messages as a contact. */
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
 * Whether a message is held. This is worked out whenever it is asked and stored nowhere, so a message is released by the change that it
 * waits for, whatever makes that change.
 */
export const isHeld = (eb: Builder) => eb.or([isAwaiting(eb), isStopped(eb)]);

/** The reason as a column; null for a message that is not held. */
export const heldFor = (eb: Builder) =>
  eb
    .case()
    .when(isStopped(eb))
    .then(sql<HeldFor>`'stopped'`)
    .when(isAwaiting(eb))
    .then(sql<HeldFor>`'unconfirmed'`)
    .else(null)
    .end();

/** Since when a message can be sent: since it was queued or, if it was held, since its account's address was confirmed. */
export const sendableSince = (eb: Builder) => {
  const confirmedAt = eb
    .selectFrom("users")
    .select("users.emailVerifiedAt")
    .whereRef("users.id", "=", "mails.awaitsUserId");
  return sql<string>`coalesce(${confirmedAt}, ${eb.ref("mails.createdAt")})`;
};

/** The messages of an order that are held, each with its reason. */
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

/** How many messages wait until this account's address is confirmed. */
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

/** How many messages to this address were queued since then and not held, to its account; `kinds`: only, or without, messages of these kinds. */
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

/** Readdresses what waits for an account whose address changed before it was confirmed. */
export async function readdressAwaiting(trx: Trx, userId: number, recipient: string): Promise<void> {
  await trx
    .updateTable("mails")
    .set({ recipient })
    .where("awaitsUserId", "=", userId)
    .where("isContact", "=", false)
    .where("sentAt", "is", null)
    .execute();
}

/** When an address asked for no more messages as a contact, or null. Capitals make no difference. */
export const findContactStop = async (db: DbOrTrx, email: string): Promise<Row<"contactStops"> | null> =>
  (await db.selectFrom("contactStops").selectAll().where("email", "=", email.toLowerCase()).executeTakeFirst()) ?? null;

/** Which of these addresses want no more messages as contacts, in lower case. */
export async function listContactStops(db: DbOrTrx, emails: readonly string[]): Promise<Set<string>> {
  if (emails.length === 0) return new Set();
  const asked = emails.map((email) => email.toLowerCase());
  const rows = await db.selectFrom("contactStops").select("email").where("email", "in", asked).execute();
  return new Set(rows.map(({ email }) => email));
}

/** The orders of certificates that wait for the answer of this contact, each with its owner, the oldest first. */
export const listUnanswered = (db: DbOrTrx, email: string) =>
  db
    .selectFrom("certificates")
    .select(["orderId", "userId"])
    .where("status", "=", "Pending")
    .where("contactAnswer", "is", null)
    .where(({ fn }) => fn("lower", ["authenticationEmail"]), "=", email.toLowerCase())
    .orderBy("orderId")
    .execute();

/** Stops messages to a contact. Takes the address in lower case. Returns false when they were stopped before. */
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
