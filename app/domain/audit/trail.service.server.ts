import { toCsv } from "~/lib/csv.server";
import { dayError } from "~/lib/date-errors";
import { addDays, formatDateTime } from "~/lib/dates";
import { foldForSearch } from "~/lib/fold-text";
import { LARGEST_ID, pagesOf, readNumber } from "~/lib/list-params";
import { readDay } from "~/lib/typed-dates";
import { getDb } from "~db/connection.server";
import {
  type AuditCondition,
  type AuditListRow,
  listEntries,
  listEvents,
  MOST_READ,
  searchAudit,
} from "~db/repositories/audit-search.server";
import { findCodeByName } from "~db/repositories/codes.server";
import { listJobs } from "~db/repositories/jobs.server";
import { listUserIdsByLoginStart, listUsersByLogin } from "~db/repositories/users.server";
import { type TrailListParams } from "./trail-list";

/** Entries that the page lists, and that a file holds. */
export const MOST_LISTED = 1000;
export const MOST_EXPORTED = 50_000;
const ROWS_AT_ONCE = 1000;
/** People whose entries are searched for at once. */
export const MOST_PEOPLE = 20;

/** Those whose login begins so; of too many the ones whose login it is. Out: null when these are too many as well, or none. */
async function peopleOf(login: string): Promise<number[] | null> {
  const begun = await listUserIdsByLoginStart(getDb(), foldForSearch(login), MOST_PEOPLE + 1);
  if (begun.length <= MOST_PEOPLE) return begun;
  const exact = await listUsersByLogin(getDb(), login.toLowerCase());
  return exact.length > 0 ? exact.map(({ id }) => id) : null;
}

/** Entries by people, by administrators as somebody, and about accounts; and by that name, whoever had it. Null: too many people. */
async function byPerson(person: string): Promise<AuditCondition[] | null> {
  const users = await peopleOf(person);
  if (users === null) return null;
  return [
    ...users.flatMap((id): AuditCondition[] => [
      { column: "actor_id", value: id },
      { column: "impersonator_id", value: id },
      { column: "user_id", value: id },
    ]),
    { column: "actor_name", value: person },
    ...(person.toLowerCase() === person ? [] : [{ column: "actor_name" as const, value: person.toLowerCase() }]),
  ];
}

/** The reference itself, an order by its number, a certificate by its id, a code by its characters. */
async function byReference(reference: string): Promise<AuditCondition[]> {
  const order = readNumber(/^SO-(\d+)$/i.exec(reference)?.[1] ?? null, LARGEST_ID);
  const id = readNumber(reference, LARGEST_ID);
  const [, name, subcode = ""] = /^([0-9A-Z]{4})([0-9A-Z]{2})?$/.exec(reference.toUpperCase()) ?? [];
  const code = name ? await findCodeByName(getDb(), name, subcode === "00" ? "" : subcode) : null;
  return [
    { column: "reference", value: reference },
    ...(order === null ? [] : [{ column: "order_id" as const, value: order }]),
    ...(id === null
      ? []
      : [
          { column: "order_id" as const, value: id },
          { column: "certificate_id" as const, value: id },
        ]),
    ...(code ? [{ column: "code_id" as const, value: code.id }] : []),
  ];
}

/** The events that begin so. */
async function byEvent(start: string): Promise<AuditCondition[]> {
  const known = (await listEvents(getDb())).filter((event) => event.startsWith(start.toLowerCase()));
  return (known.length > 0 ? known : [start]).map((value) => ({ column: "event", value }));
}

const TOO_MANY = `More than ${MOST_PEOPLE} people begin so. Enter more of the name.`;

export type TrailErrors = Partial<Record<"person" | "from" | "to", string>>;

const WRONG_ORDER = "The last day is before the first one.";

/** PostgreSQL and SQLite compare years 0001 to 9999 alike. Null for a later day, because every entry is before it. */
const startOfDay = (day: string, daysLater: number) => {
  const start = addDays(new Date(`${day}T00:00:00Z`), daysLater).toISOString();
  return start.startsWith("+") ? null : start;
};

/** Returns both days as timestamps, from the first day on and before the day after the second, or what is wrong with them. */
function readPeriod({ from, to }: Pick<TrailListParams, "from" | "to">) {
  const [first, last] = [readDay(from), readDay(to)];
  const errors: TrailErrors = {
    ...(from !== "" && !first && { from: dayError(from) }),
    ...(to !== "" && !last && { to: dayError(to) }),
    ...(first && last && first > last && { to: WRONG_ORDER }),
  };
  const timestamp = (day: string | null, daysLater: number) =>
    day === null || Object.keys(errors).length > 0 ? null : startOfDay(day, daysLater);
  return { errors, from: timestamp(first, 0), before: timestamp(last, 1) };
}

interface Found {
  ids: number[];
  /** So many entries were looked through, and there are more; null when all were. */
  cutAt: number | null;
  errors: TrailErrors;
}

/** The ids of the entries that a search finds, and what is wrong with the search: then none. */
async function find(params: TrailListParams, limit: number): Promise<Found> {
  const { reference, person, event, text, sort } = params;
  const { errors: wrongDays, from, before } = readPeriod(params);
  const people = person === "" ? [] : await byPerson(person);
  const errors: TrailErrors = { ...(people === null && { person: TOO_MANY }), ...wrongDays };
  if (people === null || Object.keys(errors).length > 0) return { ids: [], cutAt: null, errors };
  const groups = [
    reference === "" ? [] : await byReference(reference),
    people,
    event === "" ? [] : await byEvent(event),
  ].filter((group) => group.length > 0);
  const search = { groups, text, from, before, direction: sort.direction };
  const { ids, isCut } = await searchAudit(getDb(), search, limit);
  return { ids, cutAt: isCut ? MOST_READ : null, errors };
}

/** These entries in this order. */
async function inOrder(ids: readonly number[]): Promise<AuditListRow[]> {
  const rows = new Map((await listEntries(getDb(), ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** When the trail was last verified, by the jobs that do so. */
async function verifications() {
  const rows = await listJobs(getDb());
  const of = (name: string) => {
    const { lastFinishedAt = null, lastResult = null, lastError = null } = rows.find((row) => row.name === name) ?? {};
    return { at: lastFinishedAt, result: lastResult, error: lastError };
  };
  return { latest: of("audit"), whole: of("audit-whole") };
}

/** One page of the entries that a search finds, a thousand at most. A page past the end is the last one. */
export async function loadTrail(params: TrailListParams) {
  const { ids, cutAt, errors } = await find(params, MOST_LISTED + 1);
  const total = Math.min(ids.length, MOST_LISTED);
  const pages = pagesOf(total, params.size);
  const page = Math.min(params.page, pages);
  const rows = await inOrder(ids.slice(0, MOST_LISTED).slice((page - 1) * params.size, page * params.size));
  const verified = await verifications();
  const events = await listEvents(getDb());
  return {
    rows,
    total,
    hasMore: ids.length > total,
    cutAt,
    pages,
    params: { ...params, page },
    errors,
    verified,
    events,
  };
}

const HEADINGS = "Entry,Recorded (UTC),Who,Acted by,Event,Message,Account,Order,Certificate,Code,Reference".split(",");

const cellsOf = (row: AuditListRow) =>
  [
    row.sequence,
    formatDateTime(row.at),
    row.actorName,
    row.impersonatorEmail,
    row.event,
    row.message,
    row.userEmail,
    row.orderId,
    row.certificateId,
    row.codeId,
    row.reference,
  ].map((cell) => String(cell ?? ""));

/** The entries that a search finds as a CSV file (RFC 4180), 50,000 at most; none when the search is wrong. */
export async function trailFile(params: TrailListParams) {
  const { ids } = await find(params, MOST_EXPORTED);
  const rows: string[][] = [HEADINGS];
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE)
    rows.push(...(await inOrder(ids.slice(from, from + ROWS_AT_ONCE))).map(cellsOf));
  return { bytes: Buffer.from(toCsv(rows)), mediaType: "text/csv; charset=utf-8", fileName: "audit-trail.csv" };
}
