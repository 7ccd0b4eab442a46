import { sql, type SqlBool } from "kysely";
import { foldForSearch } from "~/lib/fold-text";
import { type SortOrder } from "~/lib/list-params";
import { type DbOrTrx, type Trx } from "../connection.server";
import { escapeLike } from "../like";
import { type Row } from "../tables";
import { heldFor, isHeld } from "./held-mails.server";
import { WITHOUT_TEXT } from "./mails.server";

export interface QueueFilter {
  /** Only messages in this state. Null means all unsent messages. */
  state: "Waiting" | "Held" | "Failing" | "Rejected" | null;
  /**
   * A part of the recipient's address. Case and accents make no difference, because addresses have no accents. "" matches every recipient.
   */
  recipient: string;
}

export interface QueueWindow {
  sort: SortOrder<"recipient" | "since" | "tries">;
  offset: number;
  limit: number;
}

const unsent = (db: DbOrTrx) => db.selectFrom("mails").where("sentAt", "is", null).where("dismissedAt", "is", null);

function filtered(db: DbOrTrx, { state, recipient }: QueueFilter) {
  let query = unsent(db);
  if (recipient !== "")
    query = query.where(
      (eb) =>
        sql<SqlBool>`lower(${eb.ref("recipient")}) like ${`%${escapeLike(foldForSearch(recipient))}%`} escape '\\'`,
    );
  if (state === null) return query;
  query = query.where("rejectedAt", state === "Rejected" ? "is not" : "is", null);
  if (state === "Rejected") return query;
  if (state === "Held") return query.where(isHeld);
  return query.where((eb) => eb.not(isHeld(eb))).where("failingSince", state === "Failing" ? "is not" : "is", null);
}

/** Returns how many unsent messages match the filter. */
export async function countQueued(db: DbOrTrx, filter: QueueFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return row.total;
}

/** Returns one page of the unsent messages, without their texts. Rows with equal values are sorted by id. */
export const listQueued = (db: DbOrTrx, filter: QueueFilter, { sort, offset, limit }: QueueWindow) =>
  filtered(db, filter)
    .select((eb) => [
      "id",
      "dedupeKey",
      "recipient",
      "subject",
      "orderId",
      "createdAt",
      "attempts",
      "nextAttemptAt",
      "failingSince",
      "rejectedAt",
      "lastError",
      heldFor(eb).as("heldFor"),
    ])
    .orderBy(
      (eb) =>
        ({
          recipient: sql`lower(${eb.ref("recipient")})`,
          since: eb.fn.coalesce("failingSince", "createdAt"),
          tries: eb.ref("attempts"),
        })[sort.key],
      sort.direction,
    )
    .orderBy("id", sort.direction)
    .limit(limit)
    .offset(offset)
    .execute();

export type QueuedRow = Awaited<ReturnType<typeof listQueued>>[number];

const CHOSEN = ["id", "dedupeKey", "recipient", "orderId"] as const;
export type ChosenMail = Pick<Row<"mails">, (typeof CHOSEN)[number]>;

/** Makes those of the messages due now that are neither sent, dismissed nor held, including rejected ones. Returns them. */
export const requeueMails = (trx: Trx, ids: readonly number[], now: Date) =>
  trx
    .updateTable("mails")
    .set({ nextAttemptAt: now, rejectedAt: null })
    .where("id", "in", ids)
    .where("sentAt", "is", null)
    .where("dismissedAt", "is", null)
    .where((eb) => eb.not(isHeld(eb)))
    .returning(CHOSEN)
    .execute();

/** Returns those of the messages that are neither sent nor dismissed. */
export const listChosen = (db: DbOrTrx, ids: readonly number[]) =>
  unsent(db)
    .select((eb) => [...CHOSEN, "rejectedAt", heldFor(eb).as("heldFor")])
    .where("id", "in", ids)
    .orderBy("id")
    .execute();

/** Dismisses those of the messages that are rejected or held and empties their texts. Returns them. */
export const dismissUnsendable = (trx: Trx, ids: readonly number[], now: Date) =>
  trx
    .updateTable("mails")
    .set({ dismissedAt: now, ...WITHOUT_TEXT })
    .where("id", "in", ids)
    .where("sentAt", "is", null)
    .where((eb) => eb.or([eb("rejectedAt", "is not", null), isHeld(eb)]))
    .where("dismissedAt", "is", null)
    .returning(CHOSEN)
    .execute();

/** Returns the message to this address that has been failing the longest, or null when none is failing. */
export const findFailingMail = async (db: DbOrTrx, email: string) =>
  (await unsent(db)
    .select(["failingSince", "rejectedAt", "lastError"])
    .where("failingSince", "is not", null)
    .where((eb) => sql<SqlBool>`lower(${eb.ref("recipient")}) = ${email.toLowerCase()}`)
    .orderBy("failingSince")
    .limit(1)
    .executeTakeFirst()) ?? null;
