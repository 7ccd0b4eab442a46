import { dayError } from "~/lib/date-errors";
import { addDays } from "~/lib/dates";
import { foldForSearch } from "~/lib/fold-text";
import { readDay } from "~/lib/typed-dates";
import { getDb } from "~db/connection.server";
import { listUserIdsByLoginStart, listUsersByLogin } from "~db/repositories/users.server";

/** How many people one search can cover. */
export const MOST_PEOPLE = 20;

/**
 * Returns the ids of the users whose login begins with this text. If there are too many, returns only those whose login is exactly this
 * text, or null when there are none.
 */
export async function listPeople(login: string): Promise<number[] | null> {
  const begun = await listUserIdsByLoginStart(getDb(), foldForSearch(login), MOST_PEOPLE + 1);
  if (begun.length <= MOST_PEOPLE) return begun;
  const exact = await listUsersByLogin(getDb(), login.toLowerCase());
  return exact.length > 0 ? exact.map(({ id }) => id) : null;
}

export const TOO_MANY = `More than ${MOST_PEOPLE} people begin so. Enter more of the name.`;

export type PeriodErrors = Partial<Record<"from" | "to", string>>;

const WRONG_ORDER = "The last day is before the first one.";

/**
 * Returns the start of a day as an ISO timestamp, which PostgreSQL and SQLite compare alike for the years 0001 to 9999. Returns null for a
 * later day, because every entry is before it.
 */
const startOfDay = (day: string, daysLater: number) => {
  const start = addDays(new Date(`${day}T00:00:00Z`), daysLater).toISOString();
  return start.startsWith("+") ? null : start;
};

/** Returns both days as timestamps, from the first day until before the day after the second, or what is wrong with the days. */
export function readPeriod({ from, to }: { from: string; to: string }) {
  const [first, last] = [readDay(from), readDay(to)];
  const errors: PeriodErrors = {
    ...(from !== "" && !first && { from: dayError(from) }),
    ...(to !== "" && !last && { to: dayError(to) }),
    ...(first && last && first > last && { to: WRONG_ORDER }),
  };
  const timestamp = (day: string | null, daysLater: number) =>
    day === null || Object.keys(errors).length > 0 ? null : startOfDay(day, daysLater);
  return { errors, from: timestamp(first, 0), before: timestamp(last, 1) };
}
