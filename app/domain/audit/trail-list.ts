import { addDays } from "~/lib/dates";
import { dayError } from "~/lib/date-errors";
import { readDay } from "~/lib/typed-dates";
import { listParams, searchText, type ListParams } from "~/lib/list-params";

/** What the trail is searched for, as it was typed. */
export const TRAIL_FIELDS = ["person", "event", "reference", "text", "from", "to"] as const;
export type TrailField = (typeof TRAIL_FIELDS)[number];

export interface TrailParams extends ListParams<"recorded">, Record<TrailField, string> {}

const base = listParams(["recorded"], { key: "recorded", direction: "desc" });

/** Reads a search and its place from a URL; never fails. */
export function readTrailParams(query: URLSearchParams): TrailParams {
  const fields = TRAIL_FIELDS.map((field) => [field, searchText(query.get(field) ?? "")]);
  return { ...base.read(query), search: "", ...(Object.fromEntries(fields) as Record<TrailField, string>) };
}

/** The search and its place as a query; what is at its default is left out. */
export function trailPlace(params: TrailParams): URLSearchParams {
  const query = base.write(params);
  for (const field of TRAIL_FIELDS) if (params[field] !== "") query.set(field, params[field]);
  return query;
}

/** `path` with the search at this place. */
export function withTrailPlace(path: string, params: TrailParams, change: Partial<TrailParams> = {}): string {
  const query = trailPlace({ ...params, ...change }).toString();
  return query ? `${path}?${query}` : path;
}

export type TrailErrors = Partial<Record<"person" | "from" | "to", string>>;

const WRONG_ORDER = "The last day is before the first one.";

/** Both days as moments: from the first on, and before the day after the second. */
export function readPeriod({ from, to }: Pick<TrailParams, "from" | "to">) {
  const [first, last] = [readDay(from), readDay(to)];
  const errors: TrailErrors = {
    ...(from !== "" && !first && { from: dayError(from) }),
    ...(to !== "" && !last && { to: dayError(to) }),
    ...(first && last && first > last && { to: WRONG_ORDER }),
  };
  const moment = (day: string | null, days: number) =>
    day === null || Object.keys(errors).length > 0 ? null : dayLater(day, days);
  return { errors, from: moment(first, 0), before: moment(last, 1) };
}

/** PostgreSQL and SQLite compare years 0001 to 9999 alike; the day after the last of these is later than all. */
const dayLater = (day: string, days: number) => {
  const moment = addDays(new Date(`${day}T00:00:00Z`), days).toISOString();
  return moment.startsWith("+") ? null : moment;
};
