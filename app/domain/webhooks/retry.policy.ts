import { DAY } from "~/lib/dates";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The waits after the first and each further failed try, in milliseconds. Together they are less than three days. */
export const RETRY_WAITS_MS = [
  5000,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  18 * HOUR,
  22 * HOUR,
] as const;

/** How long a delivery is tried, in milliseconds. */
export const TRIED_FOR_MS = 3 * DAY;

/** The longest wait that a receiver can ask for with `Retry-After`, in milliseconds. */
export const LONGEST_RETRY_AFTER_MS = DAY;

/** Which part of a wait is cut off by chance at the most, so that the tries of many deliveries do not coincide. */
const JITTER = 0.1;

/**
 * Returns when a delivery is tried again after a failed try, or null when it is given up.
 *
 * @param retryAfterMs How long the receiver asked to wait, in milliseconds, or null.
 * @param chance A number from 0 up to 1.
 */
export function nextTry(
  { attempts, begunAt }: { attempts: number; begunAt: string },
  retryAfterMs: number | null,
  now: Date,
  chance = Math.random(),
): Date | null {
  const planned = RETRY_WAITS_MS[attempts - 1];
  if (planned === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
  const next = new Date(now.getTime() + Math.max(planned * (1 - JITTER * chance), asked));
  return next.getTime() <= Date.parse(begunAt) + TRIED_FOR_MS ? next : null;
}

/** Returns how long a `Retry-After` header asks to wait in milliseconds (RFC 9110 §10.2.3), or null when it cannot be read. */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(at - now.getTime(), 0);
}
