/** Returns whether the text has one of the two formats of a day, even if there is no such day. */
export const hasFormOfDay = (text: string): boolean => /^(\d{1,2}\/\d{1,2}\/\d{4}|\d{4}-\d\d-\d\d)$/.test(text);

/** Returns what is wrong with a text for which `readDay` returns null. */
export const dayError = (text: string): string =>
  hasFormOfDay(text)
    ? `${text} is not a day of the calendar.`
    : "Enter the date as DD/MM/YYYY, for example 23/11/2026.";

/** The message for a text for which `readTime` returns null. */
export const TIME_ERROR = "Enter the time as HH:MM or HH:MM:SS, 24 hours, for example 14:05.";
