import { isIPv6 } from "node:net";
import {
  RateLimiterPostgres,
  RateLimiterRes,
  RateLimiterSQLite,
  type RateLimiterStoreAbstract,
} from "rate-limiter-flexible";
import { getConnection } from "~db/connection.server";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";

/** Tries allowed per key within a time, in seconds. Counted in the database, so that every process sees the same. */
export const LIMITS = {
  "login-account": { points: 20, duration: 15 * 60 },
  "login-address": { points: 60, duration: 15 * 60 },
  "register-address": { points: 20, duration: 60 * 60 },
  // Asking for reset codes, and entering them; an account is known by its e-mail, whether it exists or not.
  "recovery-account": { points: 5, duration: 60 * 60 },
  "recovery-address": { points: 30, duration: 60 * 60 },
  "reset-code-account": { points: 20, duration: 15 * 60 },
  "reset-code-address": { points: 60, duration: 15 * 60 },
  "verification-account": { points: 5, duration: 60 * 60 },
  "authorise-address": { points: 60, duration: 60 * 60 },
  "promotion-account": { points: 60, duration: 60 * 60 },
  "csr-account": { points: 120, duration: 60 * 60 },
  "partner-address": { points: 30, duration: 15 * 60 },
  "vat-account": { points: 60, duration: 60 * 60 },
  // Calls of programs: by the account of the token, and by the address where there is none.
  "api-account": { points: 1200, duration: 60 },
  "api-address": { points: 300, duration: 60 },
} as const;

export type Limit = keyof typeof LIMITS;

const limiters = new Map<Limit, RateLimiterStoreAbstract>();

function limiterFor(limit: Limit): RateLimiterStoreAbstract {
  const { dialect, driver } = getConnection();
  const options = {
    ...LIMITS[limit],
    keyPrefix: limit,
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
  };
  const known = limiters.get(limit);
  if (known) return known;
  const limiter =
    dialect === "postgres"
      ? new RateLimiterPostgres({ ...options, storeClient: driver, storeType: "pool" })
      : new RateLimiterSQLite({ ...options, storeClient: driver, storeType: "better-sqlite3" });
  limiters.set(limit, limiter);
  return limiter;
}

/** Forgets the limiters; for a process that opens another database (tests). */
export const forgetLimiters = (): void => limiters.clear();

export const TOO_MANY_TRIES = "Too many attempts. Please wait a few minutes and try again.";

/** Counts one try. Throws a PortalError (429) when there were too many; does nothing when RATE_LIMITS is off. */
export async function countTry(limit: Limit, key: string | number): Promise<void> {
  if (!getEnv().rateLimits) return;
  try {
    await limiterFor(limit).consume(String(key).toLowerCase().slice(0, 200));
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const retryAfter = Math.ceil(error.msBeforeNext / 1000);
    throw new PortalError(TOO_MANY_TRIES, { code: "rate-limit", status: 429, retryAfter });
  }
}

/** The network that an address belongs to: a single IPv6 customer has a whole /64 to choose from. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}

/** The caller's network as server.ts saw it (TRUST_PROXY decides whether forwarded headers count). */
export const addressOf = (request: Request): string => networkOf(request.headers.get("x-marque-address") ?? "unknown");
