import { DAY } from "~/lib/dates";

const HOUR = DAY / 24;

export interface ListLife {
  /** From thisUpdate to nextUpdate. */
  lifetimeMs: number;
  /** When a list of this age is published anew though nothing happened; null = by the command line only. */
  renewAfterMs: number | null;
}

/** How long lists live (CAL-03): base 7 days, renewed daily; delta 24 hours, renewed hourly; roots 6 months, by hand. */
export function listLife({ isRoot }: { isRoot: boolean }, isDelta: boolean): ListLife {
  if (isRoot) return { lifetimeMs: 183 * DAY, renewAfterMs: null };
  return isDelta ? { lifetimeMs: DAY, renewAfterMs: HOUR } : { lifetimeMs: 7 * DAY, renewAfterMs: DAY };
}

/** A root's list is to be renewed from this time before its end on. */
export const ROOT_LIST_WARNING_MS = 30 * DAY;

/** How long a list's bytes stay at least: somebody may be fetching them while the next list comes. */
export const BYTES_KEPT_MS = HOUR;

/** How long ended lists are kept for inquiries before they are pruned. */
export const ENDED_LISTS_KEPT_MS = 30 * DAY;
