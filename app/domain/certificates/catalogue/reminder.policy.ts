import { addDays } from "~/lib/dates";

/** Days before the end of a certificate on which its owner is reminded, the first one first. */
export const REMINDER_DAYS = [90, 60, 30, 14, 7, 1] as const;

/** From so many days on the authentication contact is told too: earlier it is the technical contact's business alone. */
export const CONTACT_DAYS = 30;

export const remindsContact = (days: number): boolean => days <= CONTACT_DAYS;

/**
 * The time in which the certificates end to which each reminder belongs now, after `from` and not after `to`. The times do not overlap, so a
 * certificate has one reminder that is due: the latest, however long nothing was sent.
 */
export const reminderTimes = (now: Date): { days: number; from: Date; to: Date }[] =>
  REMINDER_DAYS.map((days, index) => ({
    days,
    from: addDays(now, REMINDER_DAYS[index + 1] ?? 0),
    to: addDays(now, days),
  }));
