/** How often the portal measures itself, in milliseconds: the job `status` runs every minute. */
export const MEASURED_EVERY_MS = 60_000;

/** The age in milliseconds at which a measurement says nothing about now any more. */
export const MEASUREMENT_LIFE_MS = 10 * 60_000;

/** How long after its time a CRL or an OCSP answer counts as late, in milliseconds. Publication is checked every minute and tried again. */
export const LATE_AFTER_MS = 15 * 60_000;

/** How often each process records that it works, in milliseconds, and after which silence of all processes the portal counts as down. */
export const ALIVE_EVERY_MS = 30_000;
export const DOWN_AFTER_MS = 2 * 60_000;

/** How long after it was asked for a revocation counts as waiting, in milliseconds. */
export const WAITS_AFTER_MS = 60_000;

/** How many months the status shows, and how long events are kept, in days. */
export const MONTHS_SHOWN = 13;
export const EVENTS_KEPT_DAYS = 400;

/** Of how many revocations, and of how many days, the times are measured. */
export const REVOCATIONS_MEASURED = 1000;
export const REVOCATION_DAYS = 90;

/** Of how many certificates, and of how many days, the waiting times are measured. */
export const ORDERS_MEASURED = 1000;
export const ORDERS_DAYS = 30;

/** After how many hours without a finished audit the nightly comparison counts as late. */
export const AUDIT_LATE_HOURS = 36;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;

/** Returns a length of time in words, rounded down: '0.4 seconds', '12 minutes', '5 hours', '3 days'. */
export function spanText(ms: number): string {
  if (ms < SECOND) return `${(Math.max(Math.ceil(ms / 10), 0) / 100).toFixed(2)} seconds`;
  if (ms < 10 * SECOND) return `${(Math.floor(ms / 100) / 10).toFixed(1)} seconds`;
  if (ms < 2 * MINUTE) return counted(Math.floor(ms / SECOND), "second");
  if (ms < 2 * HOUR) return counted(Math.floor(ms / MINUTE), "minute");
  return ms < 2 * DAY ? counted(Math.floor(ms / HOUR), "hour") : counted(Math.floor(ms / DAY), "day");
}
