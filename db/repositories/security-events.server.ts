import { sql } from "kysely";
import { type DbOrTrx } from "../connection.server";
import { type NewRow } from "../tables";

/** Stores an event and returns its id. */
export async function insertSecurityEvent(db: DbOrTrx, row: NewRow<"securityEvents">): Promise<number> {
  const { id } = await db.insertInto("securityEvents").values(row).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Counts further events in a row that stands for many. */
export async function addToSecurityEvent(db: DbOrTrx, id: number, times: number, lastAt: Date | string): Promise<void> {
  await db
    .updateTable("securityEvents")
    .set((eb) => ({ times: eb("times", "+", times), lastAt }))
    .where("id", "=", id)
    .execute();
}

export interface EventSearch {
  event: string | null;
  /** Accounts that are concerned or acted, and the name of somebody without an account. Null finds everybody's events. */
  people: { ids: readonly number[]; name: string } | null;
  /** The first and the last address of a network as digits (`addressDigits`). Null finds all. */
  addresses: { first: string; last: string } | null;
  /** ISO timestamps. `from` is inclusive, `before` is exclusive. */
  from: string | null;
  before: string | null;
}

/** How many events of a network are sorted at most. More are read in the order of time until enough of them are found. */
const MOST_SORTED = 20_000;

/** Returns whether a network has so many events that it is quicker to look for them in the order of time. */
async function isWide(db: DbOrTrx, { addresses }: EventSearch): Promise<boolean> {
  if (addresses === null) return false;
  const found = db
    .selectFrom("securityEvents")
    .select("id")
    .where("addressDigits", ">=", addresses.first)
    .where("addressDigits", "<=", addresses.last)
    .limit(MOST_SORTED + 1);
  const { count } = await db
    .selectFrom(found.as("found"))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count) > MOST_SORTED;
}

/** @param isInTime Whether the index of addresses is not used, so that the events are read in the order of time. */
function matching(db: DbOrTrx, { event, people, addresses, from, before }: EventSearch, isInTime = false) {
  let query = db.selectFrom("securityEvents");
  if (event !== null) query = query.where("securityEvents.event", "=", event);
  if (addresses !== null) {
    const digits = isInTime
      ? sql<string>`coalesce(security_events.address_digits, '')`
      : sql.ref<string>("securityEvents.addressDigits");
    query = query.where(digits, ">=", addresses.first).where(digits, "<=", addresses.last);
  }
  if (from !== null) query = query.where("securityEvents.at", ">=", from);
  if (before !== null) query = query.where("securityEvents.at", "<", before);
  if (people === null) return query;
  const { ids, name } = people;
  return query.where((eb) =>
    eb.or([
      eb("securityEvents.actorName", "=", name),
      ...(ids.length > 0
        ? [eb("securityEvents.userId", "in", ids), eb("securityEvents.impersonatorId", "in", ids)]
        : []),
    ]),
  );
}

/** Counts the events that match a search, up to `most`. */
export async function countSecurityEvents(db: DbOrTrx, search: EventSearch, most: number): Promise<number> {
  const found = matching(db, search).select("securityEvents.id").limit(most).as("found");
  const { count } = await db
    .selectFrom(found)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Adds the emails of the accounts to selected events. */
const withAccounts = (query: ReturnType<typeof matching>) =>
  query
    .leftJoin("users as subject", "subject.id", "securityEvents.userId")
    .leftJoin("users as impersonator", "impersonator.id", "securityEvents.impersonatorId")
    .selectAll("securityEvents")
    .select("subject.email as userEmail")
    .select((eb) =>
      eb
        .or([
          eb("subject.isAdmin", "=", true),
          eb("subject.id", "in", eb.selectFrom("userRights").select("userRights.userId")),
        ])
        .as("userIsStaff"),
    )
    .select(["impersonator.email as impersonatorEmail"]);

/** Returns the events that match a search in the order of time, with the emails of the accounts. */
export const listSecurityEvents = async (
  db: DbOrTrx,
  search: EventSearch,
  { direction, offset, limit }: { direction: "asc" | "desc"; offset: number; limit: number },
) =>
  withAccounts(matching(db, search, await isWide(db, search)))
    .orderBy("securityEvents.at", direction)
    .orderBy("securityEvents.id", direction)
    .limit(limit)
    .offset(offset)
    .execute();

export type SecurityEventRow = Awaited<ReturnType<typeof listSecurityEvents>>[number];

/** Returns the events of these kinds after an id and since a time, in the order of their ids, with the emails of the accounts. */
export const listEventsAfter = (
  db: DbOrTrx,
  events: readonly string[],
  { after, since, limit }: { after: number; since: Date; limit: number },
): Promise<SecurityEventRow[]> =>
  withAccounts(db.selectFrom("securityEvents").where("securityEvents.event", "in", events))
    .where("securityEvents.id", ">", after)
    .where("securityEvents.at", ">=", since.toISOString())
    .orderBy("securityEvents.id")
    .limit(limit)
    .execute();

/** Deletes up to `limit` events before this time, the oldest first. Returns how many were deleted. */
export async function deleteSecurityEvents(db: DbOrTrx, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom("securityEvents")
    .select("id")
    .where("at", "<", before.toISOString())
    .orderBy("at")
    .limit(limit);
  const { numDeletedRows } = await db.deleteFrom("securityEvents").where("id", "in", old).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Returns the networks with at least `least` refusals of these events since this time, and how many each has. */
export async function listBursts(db: DbOrTrx, events: readonly string[], since: Date, least: number) {
  const rows = await db
    .selectFrom("securityEvents")
    .select(["network", ({ fn }) => fn.sum<number>("times").as("refusals")])
    .where("at", ">=", since.toISOString())
    .where("event", "in", events)
    .where("network", "is not", null)
    .groupBy("network")
    .having(({ fn }) => fn.sum<number>("times"), ">=", least)
    .execute();
  return rows.map(({ network, refusals }) => ({ network: network ?? "", refusals: Number(refusals) }));
}
