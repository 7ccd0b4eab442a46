import { type RawBuilder, sql } from "kysely";
import { foldForSearch } from "~/lib/fold-text";
import { escapeLike } from "~/lib/list-params";
import { type DbOrTrx } from "../connection.server";

/** A value of a column that has an index. */
export interface AuditCondition {
  column:
    | "event"
    | "actor_id"
    | "actor_name"
    | "impersonator_id"
    | "user_id"
    | "reference"
    | "order_id"
    | "certificate_id"
    | "code_id";
  value: string | number;
}

export interface AuditSearch {
  /** Groups of conditions: of each group one must hold. The first group finds the entries. */
  groups: readonly (readonly AuditCondition[])[];
  /** A part of the message, in any case, with or without accents; "" = every message. */
  text: string;
  /** ISO moments; entries from the first on and before the second. */
  from: string | null;
  before: string | null;
  direction: "asc" | "desc";
}

/**
 * Entries that are read for each condition of the first group where a text or another group is checked, too: the newest (or oldest) ones.
 * Without an end a search for what never comes together would read all.
 */
export const MOST_READ = 100_000;
/** Up to here it is counted which group finds fewest. */
const MOST_COUNTED = 20_000;

const anyOf = (conditions: readonly AuditCondition[]) =>
  sql`(${sql.join(
    conditions.map(({ column, value }) => sql`${sql.ref(column)} = ${value}`),
    sql` or `,
  )})`;

const whereAll = (conditions: readonly RawBuilder<unknown>[]) =>
  conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;

/** What the index of the first condition finds, in the order of time. */
function walk(first: AuditCondition | null, { from, before, direction }: AuditSearch) {
  const where = whereAll([
    ...(first ? [sql`${sql.ref(first.column)} = ${first.value}`] : []),
    ...(from === null ? [] : [sql`at >= ${from}`]),
    ...(before === null ? [] : [sql`at < ${before}`]),
  ]);
  return { where, order: sql`order by at ${sql.raw(direction)}, id ${sql.raw(direction)}` };
}

/** The first entry that is not read any more; no row when all are. */
export function restStatement(first: AuditCondition | null, search: AuditSearch, read = MOST_READ) {
  const { where, order } = walk(first, search);
  return sql<{ at: string }>`select at from audit_entries ${where} ${order} limit 1 offset ${read}`;
}

/** The ids of entries that one condition finds and that meet the rest, in the order of time. In: `read`, how many the rest is checked of. */
export function auditSearchStatement(
  first: AuditCondition | null,
  search: AuditSearch,
  limit: number,
  read = MOST_READ,
) {
  const { groups, text } = search;
  const { where, order } = walk(first, search);
  const others = groups.slice(first ? 1 : 0);
  if (others.length === 0 && text === "")
    return sql<Found>`select id, at from audit_entries ${where} ${order} limit ${limit}`;
  const columns = new Set(["id", "at", "message", "search_text", ...others.flat().map(({ column }) => column)]);
  const pattern = `%${escapeLike(foldForSearch(text))}%`;
  const hasText = sql`coalesce(search_text, lower(message)) like ${pattern} escape '\\'`;
  const checked = [...others.map(anyOf), ...(text === "" ? [] : [hasText])];
  return sql<Found>`select id, at from
    (select ${sql.join([...columns].map((column) => sql.ref(column)))} from audit_entries ${where} ${order} limit ${read}) as walked
    ${whereAll(checked)} ${order} limit ${limit}`;
}

/** The events that there are entries of, each one a step through their index, however many entries there are. */
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

/** Whether there are entries that were not looked through. */
async function hasRest(db: DbOrTrx, search: AuditSearch, read: number): Promise<boolean> {
  for (const first of search.groups[0] ?? [null])
    if ((await restStatement(first, search, read).execute(db)).rows.length > 0) return true;
  return false;
}

async function countGroup(db: DbOrTrx, group: readonly AuditCondition[], search: AuditSearch): Promise<number> {
  let count = 0;
  for (const condition of group) {
    const entries = sql`select 1 from audit_entries ${walk(condition, search).where} limit ${MOST_COUNTED}`;
    const counted = sql<{ count: number }>`select count(*) as count from (${entries}) as found`;
    count += (await counted.execute(db)).rows[0]?.count ?? 0;
  }
  return Math.min(count, MOST_COUNTED);
}

/** The same search with the group in front that finds fewest: it decides what is read. */
async function fewestFirst(db: DbOrTrx, search: AuditSearch): Promise<AuditSearch> {
  if (search.groups.length < 2) return search;
  const counted: { group: readonly AuditCondition[]; count: number }[] = [];
  for (const group of search.groups) counted.push({ group, count: await countGroup(db, group, search) });
  return { ...search, groups: counted.toSorted((a, b) => a.count - b.count).map(({ group }) => group) };
}

/**
 * The ids of the first `limit` entries that a search finds, in the order of time. In: `read`, entries that are looked through for each
 * condition. `isCut`: there were more to look through.
 */
export async function searchAudit(
  db: DbOrTrx,
  wanted: AuditSearch,
  limit: number,
  read = MOST_READ,
): Promise<{ ids: number[]; isCut: boolean }> {
  const search = await fewestFirst(db, wanted);
  const firsts = search.groups[0] ?? [null];
  const isChecked = search.groups.length > 1 || search.text !== "";
  const sign = search.direction === "asc" ? 1 : -1;
  let found: [id: number, at: string][] = [];
  for (const first of firsts) {
    const { rows } = await auditSearchStatement(first, search, limit, read).execute(db);
    const all = new Map([...found, ...rows.map(({ id, at }) => [id, at] as const)]);
    found = [...all].sort(([a, atA], [b, atB]) => sign * (atA === atB ? a - b : atA < atB ? -1 : 1)).slice(0, limit);
  }
  const ids = found.map(([id]) => id);
  return { ids, isCut: isChecked && ids.length < limit && (await hasRest(db, search, read)) };
}

/** These entries with what names the people in them, in no order. */
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
    .select(["auditEntries.message", "auditEntries.reference", "auditEntries.userId"])
    .select(["auditEntries.orderId", "auditEntries.certificateId", "auditEntries.codeId"])
    .select(["auditEntries.actorId", "auditEntries.actorName", "actor.username as actorUsername"])
    .select(["auditEntries.impersonatorId", "impersonator.email as impersonatorEmail"])
    .select(["impersonator.username as impersonatorUsername", "subject.email as userEmail"]);

export type AuditListRow = Awaited<ReturnType<typeof listEntries>>[number];
