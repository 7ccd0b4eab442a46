import { type RawBuilder, sql } from "kysely";
import { foldForSearch } from "~/lib/fold-text";
import { type DbOrTrx } from "../connection.server";
import { escapeLike } from "../like";

/** A condition on the value of an indexed column. */
interface ValueCondition {
  column:
    | "event"
    | "actor_id"
    | "actor_name"
    | "impersonator_id"
    | "api_client_id"
    | "user_id"
    | "reference"
    | "address"
    | "order_id"
    | "certificate_id"
    | "code_id";
  value: string | number;
  /** An ISO timestamp: only entries from before it. */
  before?: string;
}

/** What a company owns, by the column that names it in an entry. */
const OWNED = { order_id: "orders", certificate_id: "certificates", code_id: "codes" } as const;

/** A condition that an entry is about an order, a certificate or a code of a company. */
interface OwnedCondition {
  column: keyof typeof OWNED;
  companyId: number;
}

export type AuditCondition = ValueCondition | OwnedCondition;

export interface AuditSearch {
  /** Groups of conditions. An entry must meet at least one condition of each group. The first group is used to find the entries. */
  groups: readonly (readonly AuditCondition[])[];
  /** A part of the message, regardless of case and accents. "" matches every message. */
  text: string;
  /** ISO timestamps. `from` is inclusive, `before` is exclusive. */
  from: string | null;
  before: string | null;
  direction: "asc" | "desc";
}

/**
 * The most entries that are read for each condition of the first group when a text or another group has to be checked as well. The newest
 * or oldest entries are read, depending on the direction. Without this limit a search that matches nothing would read all entries.
 */
export const MOST_READ = 25_000;
/** Counting which group finds the fewest entries stops at this number. */
const MOST_COUNTED = 20_000;

/** Selects the ids of what a company owns. */
const idsOwned = ({ column, companyId }: OwnedCondition) =>
  sql`select id from ${sql.table(OWNED[column])} where company_id = ${companyId}`;

function holds(condition: AuditCondition) {
  const column = sql.ref(condition.column);
  if ("companyId" in condition) return sql`${column} in (${idsOwned(condition)})`;
  const { value, before } = condition;
  return before === undefined ? sql`${column} = ${value}` : sql`(${column} = ${value} and at < ${before})`;
}

const anyOf = (conditions: readonly AuditCondition[]) => sql`(${sql.join(conditions.map(holds), sql` or `)})`;

const whereAll = (conditions: readonly RawBuilder<unknown>[]) =>
  conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;

/**
 * Returns where these columns of the entries of one condition are read. Those about what a company owns are found first, by what it owns: otherwise a
 * database might read the whole trail in the order of time to find a few entries.
 */
function sourceOf(first: AuditCondition | null, columns: Iterable<string>): RawBuilder<unknown> {
  if (!first || !("companyId" in first)) return sql`audit_entries`;
  const owned = sql.table(OWNED[first.column]);
  const about = sql.ref(`audit_entries.${first.column}`);
  const read = sql.join([...columns].map((column) => sql.ref(`audit_entries.${column}`)));
  return sql`(with owned as materialized (select ${read} from ${owned} join audit_entries on ${about} = ${owned}.id
    where ${owned}.company_id = ${first.companyId}) select * from owned) as audit_entries`;
}

/** Returns the source, `where` and `order by` clauses that read these columns of the entries of one condition in the order of time. */
function walk(
  first: AuditCondition | null,
  { from, before, direction }: AuditSearch,
  columns: Iterable<string> = ["id", "at"],
) {
  const where = whereAll([
    ...(first && !("companyId" in first) ? [holds(first)] : []),
    ...(from === null ? [] : [sql`at >= ${from}`]),
    ...(before === null ? [] : [sql`at < ${before}`]),
  ]);
  const source = sourceOf(first, columns);
  return { source, where, order: sql`order by at ${sql.raw(direction)}, id ${sql.raw(direction)}` };
}

/** Returns a statement for the first entry that is no longer read. It gives no row when all entries are read. */
export function restStatement(first: AuditCondition | null, search: AuditSearch, read = MOST_READ) {
  const { source, where, order } = walk(first, search);
  return sql<{ at: string }>`select at from ${source} ${where} ${order} limit 1 offset ${read}`;
}

/**
 * Returns a statement for the ids of entries that meet one condition and all the other groups, in the order of time.
 * @param read How many entries the other groups and the text are checked on.
 */
export function auditSearchStatement(
  first: AuditCondition | null,
  search: AuditSearch,
  limit: number,
  read = MOST_READ,
) {
  const { groups, text } = search;
  const others = groups.slice(first ? 1 : 0);
  if (others.length === 0 && text === "") {
    const { source, where, order } = walk(first, search);
    return sql<Found>`select id, at from ${source} ${where} ${order} limit ${limit}`;
  }
  const columns = new Set(["id", "at", "message", "search_text", ...others.flat().map(({ column }) => column)]);
  const { source, where, order } = walk(first, search, columns);
  const pattern = `%${escapeLike(foldForSearch(text))}%`;
  const hasText = sql`coalesce(search_text, lower(message)) like ${pattern} escape '\\'`;
  const checked = [...others.map(anyOf), ...(text === "" ? [] : [hasText])];
  return sql<Found>`select id, at from
    (select ${sql.join([...columns].map((column) => sql.ref(column)))} from ${source} ${where} ${order} limit ${read}) as walked
    ${whereAll(checked)} ${order} limit ${limit}`;
}

/** Returns a statement for the events that occur. It takes one step through the index for each event, however many entries there are. */
export const eventsStatement = () => sql<{ event: string }>`with recursive known(name) as (
    select min(event) from audit_entries
    union all select (select min(event) from audit_entries where event > known.name) from known where known.name is not null)
  select name as event from known where name is not null`;

export const listEvents = async (db: DbOrTrx): Promise<string[]> =>
  (await eventsStatement().execute(db)).rows.map(({ event }) => event);

interface Found {
  id: number;
  at: string;
}

/** Returns the entries of both lists once, in the order of time. */
function joinFound(some: readonly Found[], others: readonly Found[], direction: AuditSearch["direction"]): Found[] {
  const sign = direction === "asc" ? 1 : -1;
  const all = new Map([...some, ...others].map((entry) => [entry.id, entry]));
  return [...all.values()].sort((a, b) => sign * (a.at === b.at ? a.id - b.id : a.at < b.at ? -1 : 1));
}

/** Returns the time of the first entry that was not read, or null when all were read. */
async function findRest(db: DbOrTrx, search: AuditSearch, read: number): Promise<string | null> {
  const times: string[] = [];
  for (const first of search.groups[0] ?? [null])
    times.push(...(await restStatement(first, search, read).execute(db)).rows.map(({ at }) => at));
  return times.sort().at(search.direction === "desc" ? -1 : 0) ?? null;
}

async function countGroup(db: DbOrTrx, group: readonly AuditCondition[], search: AuditSearch): Promise<number> {
  let count = 0;
  for (const condition of group) {
    const { source, where } = walk(condition, search);
    const entries = sql`select 1 from ${source} ${where} limit ${MOST_COUNTED}`;
    const counted = sql<{ count: number }>`select count(*) as count from (${entries}) as found`;
    count += (await counted.execute(db)).rows[0]?.count ?? 0;
  }
  return Math.min(count, MOST_COUNTED);
}

/** Returns the same search with the group that finds the fewest entries first, because the first group decides how many are read. */
async function fewestFirst(db: DbOrTrx, search: AuditSearch): Promise<AuditSearch> {
  if (search.groups.length < 2) return search;
  const counted: { group: readonly AuditCondition[]; count: number }[] = [];
  for (const group of search.groups) counted.push({ group, count: await countGroup(db, group, search) });
  return { ...search, groups: counted.toSorted((a, b) => a.count - b.count).map(({ group }) => group) };
}

/**
 * Returns the ids of the first `limit` entries that match a search, in the order of time. `restAt` is
 * the time of the first entry that was not read, or null when none was left out.
 * @param read How many entries are read for each condition.
 */
export async function searchAudit(
  db: DbOrTrx,
  wanted: AuditSearch,
  limit: number,
  read = MOST_READ,
): Promise<{ ids: number[]; restAt: string | null }> {
  const search = await fewestFirst(db, wanted);
  const firsts = search.groups[0] ?? [null];
  const isChecked = search.groups.length > 1 || search.text !== "";
  let found: Found[] = [];
  for (const first of firsts) {
    const { rows } = await auditSearchStatement(first, search, limit, read).execute(db);
    found = found.length === 0 ? rows : joinFound(found, rows, search.direction).slice(0, limit);
  }
  const ids = found.map(({ id }) => id);
  return { ids, restAt: isChecked && ids.length < limit ? await findRest(db, search, read) : null };
}

/** Returns these entries with the names of the people in them, in no particular order. */
export async function listEntries(db: DbOrTrx, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return entriesWithPeople(db).where("auditEntries.id", "in", ids).execute();
}

const entriesWithPeople = (db: DbOrTrx) =>
  db
    .selectFrom("auditEntries")
    .leftJoin("users as actor", "actor.id", "auditEntries.actorId")
    .leftJoin("users as impersonator", "impersonator.id", "auditEntries.impersonatorId")
    .leftJoin("users as subject", "subject.id", "auditEntries.userId")
    .select(["auditEntries.id", "auditEntries.sequence", "auditEntries.at", "auditEntries.event"])
    .select(["auditEntries.message", "auditEntries.reference", "auditEntries.address", "auditEntries.userId"])
    .select(["auditEntries.orderId", "auditEntries.certificateId", "auditEntries.codeId"])
    .select(["auditEntries.actorId", "auditEntries.actorName", "actor.username as actorUsername"])
    .select(["auditEntries.impersonatorId", "impersonator.email as impersonatorEmail"])
    .select(["impersonator.username as impersonatorUsername", "subject.email as userEmail"]);

export type AuditListRow = Awaited<ReturnType<typeof listEntries>>[number];
