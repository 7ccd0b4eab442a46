import { type RawBuilder, sql } from "kysely";
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
  /** A part of the message, in any case; "" = every message. */
  text: string;
  /** ISO moments; entries from the first on and before the second. */
  from: string | null;
  before: string | null;
  direction: "asc" | "desc";
}

/** Entries that a search for a text looks through, the newest (or oldest) of those that meet the rest. */
export const MOST_READ = 100_000;

/** The same condition, but not for an index: one index is enough, and it is to be the chosen one. */
const unindexed = ({ column, value }: AuditCondition) =>
  typeof value === "number"
    ? sql`coalesce(${sql.ref(column)}, 0) = ${value}`
    : sql`coalesce(${sql.ref(column)}, '') = ${value}`;

const anyOf = (conditions: readonly AuditCondition[]) => sql`(${sql.join(conditions.map(unindexed), sql` or `)})`;

/** The ids of entries that one condition finds and that meet the rest, in the order of time. In: `read`, how many are looked through for a text. */
export function searchStatement(first: AuditCondition | null, search: AuditSearch, limit: number, read = MOST_READ) {
  const { groups, text, from, before, direction } = search;
  const conditions: RawBuilder<unknown>[] = [
    ...(first ? [sql`${sql.ref(first.column)} = ${first.value}`] : []),
    ...groups.slice(first ? 1 : 0).map(anyOf),
    ...(from === null ? [] : [sql`at >= ${from}`]),
    ...(before === null ? [] : [sql`at < ${before}`]),
  ];
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const order = sql`order by at ${sql.raw(direction)}, id ${sql.raw(direction)}`;
  if (text === "") return sql<Found>`select id, at from audit_entries ${where} ${order} limit ${limit}`;
  const pattern = `%${escapeLike(text.toLowerCase())}%`;
  return sql<Found>`select id, at from
    (select id, at, message from audit_entries ${where} ${order} limit ${read}) as newest
    where lower(message) like ${pattern} escape '\\' ${order} limit ${limit}`;
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

/** The ids of the first `limit` entries that a search finds, in the order of time. */
export async function searchAudit(db: DbOrTrx, search: AuditSearch, limit: number): Promise<number[]> {
  const firsts = search.groups[0] ?? [null];
  const sign = search.direction === "asc" ? 1 : -1;
  let found: [id: number, at: string][] = [];
  for (const first of firsts) {
    const { rows } = await searchStatement(first, search, limit).execute(db);
    const all = new Map([...found, ...rows.map(({ id, at }) => [id, at] as const)]);
    found = [...all].sort(([a, atA], [b, atB]) => sign * (atA === atB ? a - b : atA < atB ? -1 : 1)).slice(0, limit);
  }
  return found.map(([id]) => id);
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
