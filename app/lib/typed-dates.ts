/** Returns the day of `yyyy-MM-dd` or of `dd/MM/yyyy` as `yyyy-MM-dd`; null when there is no such day. */
export function readDay(text: string): string | null {
  const typed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  const day = typed ? `${typed[3]}-${typed[2]?.padStart(2, "0")}-${typed[1]?.padStart(2, "0")}` : text;
  const moment = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // There is no year 0000, and PostgreSQL knows none.
  return !Number.isNaN(moment) && !day.startsWith("0000") && new Date(moment).toISOString().startsWith(day)
    ? day
    : null;
}

/** Returns a day of either form as `dd/MM/yyyy`, for a field to be typed in; what is no day stays as it was typed. */
export function typedDay(text: string): string {
  const day = readDay(text);
  return day === null ? text : day.split("-").reverse().join("/");
}

/** Returns a time of `HH:mm` or `HH:mm:ss`, 24 hours, with two digits for each part; null when there is no such time. */
export function readTime(text: string): string | null {
  const time = /^\d:/.test(text) ? `0${text}` : text;
  return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(time) ? time : null;
}
