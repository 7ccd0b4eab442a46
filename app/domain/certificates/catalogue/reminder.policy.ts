import { addDays } from "~/lib/dates";

/** The days before the end of a certificate on which its owner is reminded, earliest reminder first. */
export const REMINDER_DAYS = [90, 60, 30, 14, 7, 1] as const;

/**
 * The authentication contact is reminded too from this number of days before the end. Earlier reminders concern the technical contact only.
 */
export const CONTACT_DAYS = 30;

export const remindsContact = (days: number): boolean => days <= CONTACT_DAYS;

/**
 * Returns for each reminder the period in which the certificates end that are due for it now: after `from` and not after `to`. The periods
 * do not overlap, so only the latest reminder of a certificate is due, however long nothing was sent.
 */
export const reminderTimes = (now: Date): { days: number; from: Date; to: Date }[] =>
  REMINDER_DAYS.map((days, index) => ({
    days,
    from: addDays(now, REMINDER_DAYS[index + 1] ?? 0),
    to: addDays(now, days),
  }));
