/** The specification's null date. It is shown as blank and sent as `0001-01-01T00:00:00` in JSON. */
export const MIN_DATE = "0001-01-01";

const two = (value: number) => String(value).padStart(2, "0");

/** Formats an ISO timestamp as `dd/MM/yyyy` in UTC. The null date and null give "". */
export function formatDate(iso: string | null | undefined): string {
  if (!iso || iso.startsWith(MIN_DATE)) return "";
  const date = new Date(iso);
  return `${two(date.getUTCDate())}/${two(date.getUTCMonth() + 1)}/${String(date.getUTCFullYear()).padStart(4, "0")}`;
}

/** Formats an ISO timestamp as `dd/MM/yyyy HH:mm:ss` in UTC. The null date and null give "". */
export function formatDateTime(iso: string | null | undefined): string {
  const day = formatDate(iso);
  if (!day || !iso) return day;
  const date = new Date(iso);
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
}

/** Adds whole calendar months in UTC. A day that the month does not have becomes its last day. */
export function addMonths(from: Date, months: number): Date {
  const to = new Date(from);
  to.setUTCMonth(from.getUTCMonth() + months);
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0);
  return to;
}

/** Adds whole years in UTC. 29 February becomes 28 February in a year that is not a leap year. */
export const addYears = (from: Date, years: number): Date => addMonths(from, 12 * years);

/** Later than every date of a certificate. */
export const END_OF_TIME = new Date("9999-12-31T00:00:00Z");

export const DAY = 86_400_000;

export const addDays = (from: Date, days: number): Date => new Date(from.getTime() + days * DAY);

/** Returns the whole days from `iso` until `now`, rounded down. */
export const daysSince = (iso: string, now: Date): number => Math.floor((now.getTime() - Date.parse(iso)) / DAY);

/** Returns the whole days from `now` until `iso`, rounded up. Negative when `iso` is in the past. */
export const daysUntil = (iso: string, now: Date): number => Math.ceil((Date.parse(iso) - now.getTime()) / DAY);
