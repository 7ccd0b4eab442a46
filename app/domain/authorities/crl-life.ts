import { DAY } from "~/lib/dates";

const HOUR = DAY / 24;

export interface CrlLife {
  /** The time from thisUpdate to nextUpdate in milliseconds. */
  lifetimeMs: number;
  /** The age in milliseconds at which a new CRL is published although nothing has changed. Null when only the command line publishes it. */
  renewAfterMs: number | null;
  /** How long before its end, in milliseconds, a CRL that was not replaced is reported. */
  warnBeforeMs: number;
}

/** How long before its end, in milliseconds, the CRL of a root must be renewed. */
export const ROOT_CRL_WARNING_MS = 30 * DAY;

/**
 * Returns how long a CRL is valid, and when it is renewed (CAL-03). A base CRL is valid for 7 days and renewed daily, a delta CRL is valid
 * for 24 hours and renewed hourly, and the CRL of a root is valid for 6 months and renewed by hand. One that is renewed by the portal is
 * reported when half of the time between its renewal and its end has passed.
 */
export function crlLife({ isRoot }: { isRoot: boolean }, isDelta: boolean): CrlLife {
  if (isRoot) return { lifetimeMs: 183 * DAY, renewAfterMs: null, warnBeforeMs: ROOT_CRL_WARNING_MS };
  const [lifetimeMs, renewAfterMs] = isDelta ? [DAY, HOUR] : [7 * DAY, DAY];
  return { lifetimeMs, renewAfterMs, warnBeforeMs: (lifetimeMs - renewAfterMs) / 2 };
}

/**
 * The minimum time in milliseconds for which the bytes of a CRL are kept. A client may still be fetching them when the next CRL is
 * published.
 */
export const BYTES_KEPT_MS = HOUR;

/** How long expired CRLs are kept for inquiries before they are pruned, in milliseconds. */
export const ENDED_CRLS_KEPT_MS = 30 * DAY;
