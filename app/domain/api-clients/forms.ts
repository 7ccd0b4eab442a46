import { addYears } from "~/lib/dates";

/** The ids of the forms of a client: its name and what it may do, and a new secret. */
export const CLIENT_FORM = "api-client";
export const SECRET_FORM = "new-secret";

/** The most years for which a client can be used, and the most networks from which. */
export const MOST_YEARS = 2;
export const MOST_NETWORKS = 30;

/** How long the other secret of a client stays valid when it gets a new one, in hours. Null: until somebody ends it. */
export const OVERLAPS = { "until-ended": null, "a-week": 7 * 24, "a-day": 24, now: 0 } as const;
export type Overlap = keyof typeof OVERLAPS;

/** Returns the last day on which a client made now can be used, as `yyyy-MM-dd`. */
export const latestEnd = (now = new Date()): string => addYears(now, MOST_YEARS).toISOString().slice(0, 10);
