import { addDays } from "~/lib/dates";

/** The days before the end of a certificate on which its owner is reminded, earliest reminder first. */
export const REMINDER_DAYS = [90, 60, 30, 14, 7, 1] as const;

/** From this number of days before the end, the authentication contact is reminded too. Earlier reminders go to the owner only. */
export const CONTACT_DAYS = 30;

export const remindsContact = (days: number): boolean => days <= CONTACT_DAYS;

/**
 * Returns a period for each reminder. The reminder is due now for the certificates that end after `from` and not after `to`. The periods do
 * not overlap, so at most one reminder of a certificate is due, even if none was sent for a long time.
 */
export const reminderTimes = (now: Date): { days: number; from: Date; to: Date }[] =>
  REMINDER_DAYS.map((days, index) => ({
    days,
    from: addDays(now, REMINDER_DAYS[index + 1] ?? 0),
    to: addDays(now, days),
  }));
