/** Reads a day in the format `yyyy-MM-dd` or `dd/MM/yyyy`. Returns it as `yyyy-MM-dd`, or null when there is no such day. */
export function readDay(text: string): string | null {
  const typed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  const day = typed ? `${typed[3]}-${typed[2]?.padStart(2, "0")}-${typed[1]?.padStart(2, "0")}` : text;
  const timestamp = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // There is no year 0000, and PostgreSQL does not accept it.
  return !Number.isNaN(timestamp) && !day.startsWith("0000") && new Date(timestamp).toISOString().startsWith(day)
    ? day
    : null;
}

/** Returns a day of either format as `dd/MM/yyyy`, for a text field. A text that is not a day is returned unchanged. */
export function typedDay(text: string): string {
  const day = readDay(text);
  return day === null ? text : day.split("-").reverse().join("/");
}

/**
 * Reads a time in the format `HH:mm` or `HH:mm:ss`, 24 hours. Returns it with two digits for each part, or null when there is no such time.
 */
export function readTime(text: string): string | null {
  const time = /^\d:/.test(text) ? `0${text}` : text;
  return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(time) ? time : null;
}
