/** Whether the text has one of the two forms of a day, be there such a day or not. */
export const hasFormOfDay = (text: string): boolean => /^(\d{1,2}\/\d{1,2}\/\d{4}|\d{4}-\d\d-\d\d)$/.test(text);

/** Returns what is wrong with a text that `readDay` does not take. */
export const dayError = (text: string): string =>
  hasFormOfDay(text)
    ? `${text} is not a day of the calendar.`
    : "Enter the date as DD/MM/YYYY, for example 23/11/2026.";

/** What is wrong with a text that `readTime` does not take. */
export const TIME_ERROR = "Enter the time as HH:MM or HH:MM:SS, 24 hours, for example 14:05.";
