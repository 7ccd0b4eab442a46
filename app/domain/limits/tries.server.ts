import {
  RateLimiterPostgres,
  RateLimiterRes,
  RateLimiterSQLite,
  type RateLimiterStoreAbstract,
} from "rate-limiter-flexible";
import { getConnection } from "~db/connection.server";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { memoize } from "~/lib/memoize.server";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Tries allowed per key within a time, in seconds, and what they are. Counted in the database, so that every process sees the same. */
export const LIMITS = {
  "login-account": { points: 20, duration: 15 * MINUTE, of: "logins to one account" },
  "login-address": { points: 60, duration: 15 * MINUTE, of: "logins from one network" },
  "register-address": { points: 20, duration: HOUR, of: "registrations from one network" },
  // Asking for reset codes, and entering them; an account is known by its e-mail, whether it exists or not.
  "recovery-account": { points: 5, duration: HOUR, of: "reset codes for one e-mail address" },
  "recovery-address": { points: 30, duration: HOUR, of: "requests for reset codes from one network" },
  "reset-code-account": { points: 20, duration: 15 * MINUTE, of: "entered reset codes for one e-mail address" },
  "reset-code-address": { points: 60, duration: 15 * MINUTE, of: "questions about reset codes from one network" },
  "verification-account": { points: 5, duration: HOUR, of: "messages with a link for one account" },
  "verification-day": { points: 10, duration: DAY, of: "messages with a link for one account" },
  // Stored orders; a refused one does not count. An account is new until its address is confirmed and staff have accepted an order of it.
  "order-account": { points: 300, duration: DAY, of: "orders by one account" },
  "order-new-account": { points: 30, duration: DAY, of: "orders by a new account" },
  "authorise-address": { points: 60, duration: HOUR, of: "opened links from one network" },
  "promotion-account": { points: 60, duration: HOUR, of: "promotion codes by one account" },
  "csr-account": { points: 120, duration: HOUR, of: "CSRs by one account" },
  // Only refused keys of other accounts count; without a try no CSR of the account is looked at.
  "key-account": { points: 10, duration: HOUR, of: "keys that cannot be used by one account" },
  "partner-address": { points: 30, duration: 15 * MINUTE, of: "requests from one network" },
  "vat-account": { points: 60, duration: HOUR, of: "checks of VAT numbers by one account" },
  // Calls of programs: by the account of the token, and by the address where there is none.
  "api-account": { points: 1200, duration: MINUTE, of: "calls by one account" },
  "api-address": { points: 300, duration: MINUTE, of: "calls without an account from one network" },
} as const;

export type Limit = keyof typeof LIMITS;

const storedKey = (key: string | number) => String(key).toLowerCase().slice(0, 200);

const secondsOf = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000));

const limiters = memoize(() => new Map<Limit, RateLimiterStoreAbstract>());

function limiterFor(limit: Limit): RateLimiterStoreAbstract {
  const { dialect, driver } = getConnection();
  const { points, duration } = LIMITS[limit];
  const options = {
    ...{ points, duration, keyPrefix: limit },
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
  };
  const known = limiters().get(limit);
  if (known) return known;
  const limiter =
    dialect === "postgres"
      ? new RateLimiterPostgres({ ...options, storeClient: driver, storeType: "pool" })
      : new RateLimiterSQLite({ ...options, storeClient: driver, storeType: "better-sqlite3" });
  limiters().set(limit, limiter);
  return limiter;
}

/**
 * Takes one of the tries that a key has. Out: null when there was one, else the seconds until there is one again. RATE_LIMITS=off: there
 * always is. Not to be called inside a transaction.
 */
export async function takeTry(limit: Limit, key: string | number): Promise<number | null> {
  if (!getEnv().rateLimits) return null;
  try {
    await limiterFor(limit).consume(storedKey(key));
    return null;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return secondsOf(error);
  }
}

/** The seconds until a key has a try again, or null when it has one. Takes none. Not to be called inside a transaction. */
export async function secondsUntilTry(limit: Limit, key: string | number): Promise<number | null> {
  if (!getEnv().rateLimits) return null;
  const state = await limiterFor(limit).get(storedKey(key));
  return state !== null && state.remainingPoints <= 0 ? secondsOf(state) : null;
}

/** Counts one try. Throws a PortalError (429) that says which limit it is when there were too many. */
export async function countTry(limit: Limit, key: string | number): Promise<void> {
  const retryAfter = await takeTry(limit, key);
  if (retryAfter === null) return;
  throw new PortalError(tooManyTries(limit, retryAfter), { code: "rate-limit", status: 429, retryAfter });
}

/** Gives a try back that came to nothing. */
export async function returnTry(limit: Limit, key: string | number): Promise<void> {
  if (getEnv().rateLimits) await limiterFor(limit).reward(storedKey(key));
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;

function lasting(seconds: number): string {
  if (seconds < 2 * MINUTE) return counted(seconds, "second");
  if (seconds < 2 * HOUR) return counted(Math.ceil(seconds / MINUTE), "minute");
  return counted(Math.ceil(seconds / HOUR), "hour");
}

/** How long a limit counts: "15 minutes", "24 hours". */
export const timeOf = (limit: Limit): string => {
  const { duration } = LIMITS[limit];
  return duration < 2 * HOUR ? counted(duration / MINUTE, "minute") : counted(duration / HOUR, "hour");
};

/** What is said when there is no try: which limit it is, and when there is one again. */
export function tooManyTries(limit: Limit, seconds: number): string {
  const { points, of } = LIMITS[limit];
  return `Too many attempts: at most ${points} ${of} within ${timeOf(limit)}. Please try again in ${lasting(seconds)}.`;
}
