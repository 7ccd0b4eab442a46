import { type RawBuilder, sql, type SqlBool } from "kysely";
import { type DbOrTrx } from "../connection.server";
import { type NewRow } from "../tables";
import { sortOrderOf } from "../text-search.server";

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

/** Up to this number, the events of people or of a network are found first and then sorted. More are looked for in the order of time. */
const MOST_SORTED = 20_000;

type Addresses = NonNullable<EventSearch["addresses"]>;
type People = NonNullable<EventSearch["people"]>;

/** Selects the ids of the events of people, each part by an index. */
function idsOfPeople({ ids, name }: People): RawBuilder<{ id: number }> {
  const having = (condition: RawBuilder<unknown>) => sql`select id from security_events where ${condition}`;
  const one = (column: string) => having(sql`${sql.ref(column)} in (${sql.join(ids)})`);
  const parts = [
    having(sql`actor_name = ${name}`),
    ...(ids.length > 0 ? [one("user_id"), one("impersonator_id")] : []),
  ];
  return sql`${sql.join(parts, sql` union all `)}`;
}

const idsInNetwork = ({ first, last }: Addresses): RawBuilder<{ id: number }> =>
  sql`select id from security_events where address_digits >= ${first} and address_digits <= ${last}`;

/** Returns whether there are so few of these events that they are sorted. */
async function areFew(db: DbOrTrx, ids: RawBuilder<{ id: number }>): Promise<boolean> {
  const counted = sql<{ count: number }>`select count(*) as count from (${ids} limit ${MOST_SORTED + 1}) as found`;
  return Number((await counted.execute(db)).rows[0]?.count) <= MOST_SORTED;
}

/** The conditions of a search that indexes answer. The others are checked row by row. */
interface ByIndex {
  people: boolean;
  addresses: boolean;
}

const byIndex = async (db: DbOrTrx, { people, addresses }: EventSearch): Promise<ByIndex> => ({
  people: people !== null && (await areFew(db, idsOfPeople(people))),
  addresses: addresses !== null && (await areFew(db, idsInNetwork(addresses))),
});

function matching(db: DbOrTrx, { event, people, addresses, from, before }: EventSearch, by: ByIndex) {
  let query = db.selectFrom("securityEvents");
  if (event !== null) query = query.where("securityEvents.event", "=", event);
  if (addresses !== null) {
    const digits = by.addresses
      ? sql.ref<string>("securityEvents.addressDigits")
      : sql<string>`coalesce(security_events.address_digits, '')`;
    query = query.where(digits, ">=", addresses.first).where(digits, "<=", addresses.last);
  }
  if (from !== null) query = query.where("securityEvents.at", ">=", from);
  if (before !== null) query = query.where("securityEvents.at", "<", before);
  if (people === null) return query;
  if (by.people) return query.where(sql<SqlBool>`security_events.id in (${idsOfPeople(people)})`);
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
  const found = matching(db, search, { people: true, addresses: true })
    .select("securityEvents.id")
    .limit(most)
    .as("found");
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

interface EventWindow {
  direction: "asc" | "desc";
  offset: number;
  limit: number;
}

/** Returns the statement of `listSecurityEvents`. */
export const eventsQuery = (db: DbOrTrx, search: EventSearch, by: ByIndex, { direction, offset, limit }: EventWindow) =>
  withAccounts(matching(db, search, by))
    .orderBy(sortOrderOf(sql.ref("securityEvents.at"), by.people || by.addresses), direction)
    .orderBy("securityEvents.id", direction)
    .limit(limit)
    .offset(offset);

/** Returns the events that match a search in the order of time, with the emails of the accounts. */
export const listSecurityEvents = async (db: DbOrTrx, search: EventSearch, window: EventWindow) =>
  eventsQuery(db, search, await byIndex(db, search), window).execute();

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
