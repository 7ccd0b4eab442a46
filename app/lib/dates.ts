/** The specification's null date: shown blank, sent as `0001-01-01T00:00:00` in JSON. */
export const MIN_DATE = "0001-01-01";

const two = (value: number) => String(value).padStart(2, "0");

/** ISO timestamp or null → `dd/MM/yyyy` in UTC; the null date and null are blank. */
export function formatDate(iso: string | null | undefined): string {
  if (!iso || iso.startsWith(MIN_DATE)) return "";
  const date = new Date(iso);
  return `${two(date.getUTCDate())}/${two(date.getUTCMonth() + 1)}/${String(date.getUTCFullYear()).padStart(4, "0")}`;
}

/** ISO timestamp or null → `dd/MM/yyyy HH:mm:ss` in UTC. */
export function formatDateTime(iso: string | null | undefined): string {
  const day = formatDate(iso);
  if (!day || !iso) return day;
  const date = new Date(iso);
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
}

/** Adds whole calendar months in UTC; a day that the month does not have becomes its last one. */
export function addMonths(from: Date, months: number): Date {
  const to = new Date(from);
  to.setUTCMonth(from.getUTCMonth() + months);
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0);
  return to;
}

/** Adds whole years in UTC; 29 February becomes 28 February in a common year. */
export const addYears = (from: Date, years: number): Date => addMonths(from, 12 * years);

/** Returns the day of `yyyy-MM-dd` or of `dd/MM/yyyy` as `yyyy-MM-dd`; null when there is no such day. */
export function readDay(text: string): string | null {
  const typed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  const day = typed ? `${typed[3]}-${two(Number(typed[2]))}-${two(Number(typed[1]))}` : text;
  const moment = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // There is no year 0000, and PostgreSQL knows none.
  return !Number.isNaN(moment) && !day.startsWith("0000") && new Date(moment).toISOString().startsWith(day)
    ? day
    : null;
}

/** Whether the text has one of the two forms of a day, be there such a day or not. */
export const hasFormOfDay = (text: string): boolean => /^(\d{1,2}\/\d{1,2}\/\d{4}|\d{4}-\d\d-\d\d)$/.test(text);

/** Returns a day of either form as `dd/MM/yyyy`, for a field to be typed in; what is no day stays as it was typed. */
export function typedDay(text: string): string {
  const day = readDay(text);
  return day === null ? text : day.split("-").reverse().join("/");
}

/** Returns what is wrong with a text that `readDay` does not take. */
export const dayError = (text: string): string =>
  hasFormOfDay(text)
    ? `${text} is not a day of the calendar.`
    : "Enter the date as DD/MM/YYYY, for example 23/11/2026.";

/** Returns a time of `HH:mm` or `HH:mm:ss`, 24 hours, with two digits for each part; null when there is no such time. */
export function readTime(text: string): string | null {
  const time = /^\d:/.test(text) ? `0${text}` : text;
  return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(time) ? time : null;
}

/** What is wrong with a text that `readTime` does not take. */
export const TIME_ERROR = "Enter the time as HH:MM or HH:MM:SS, 24 hours, for example 14:05.";

export const DAY = 86_400_000;

export const addDays = (from: Date, days: number): Date => new Date(from.getTime() + days * DAY);

/** Whole days from `now` until `iso`, rounded up; negative once past. */
export const daysUntil = (iso: string, now: Date): number => Math.ceil((Date.parse(iso) - now.getTime()) / DAY);
