import { DAY } from "~/lib/dates";

const MINUTE = 60_000;

/** How long a fault must last to be an alert, in milliseconds. Jobs that are late after a start catch up within this time. */
export const BEGINS_AFTER_MS = 5 * MINUTE;

/** How long a fault must be away for its alert to have ended, in milliseconds. One that returns within this time is the same alert. */
export const ENDS_AFTER_MS = 60 * MINUTE;

/** After how long people are reminded of an alert, once, in milliseconds. */
export const REMINDER_AFTER_MS = DAY;

/** The shortest time between two messages to a person, in milliseconds. What happens in between shares the next message. */
export const BETWEEN_MAILS_MS = 15 * MINUTE;

/** How many days alerts are kept after their end. */
export const KEPT_DAYS = 7;
