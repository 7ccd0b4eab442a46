import {
  RateLimiterPostgres,
  RateLimiterRes,
  RateLimiterSQLite,
  type RateLimiterStoreAbstract,
} from "rate-limiter-flexible";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { memoize } from "~/lib/memoize.server";
import { type DbOrTrx, getConnection } from "~db/connection.server";
import { deleteRateLimits } from "~db/repositories/rate-limits.server";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The rate limits: how many tries a key has within a time in seconds, and what is counted. They are counted in the database, so that every
 * process sees the same.
 */
export const LIMITS = {
  // Nobody can block others by trying: tries are counted by who makes them, and a browser that was logged in before has its own.
  "login-account": { points: 20, duration: 15 * MINUTE, of: "logins to one account from one network" },
  "login-address": { points: 60, duration: 15 * MINUTE, of: "logins from one network" },
  "login-device": { points: 20, duration: 15 * MINUTE, of: "logins from a browser where the account was logged in" },
  "sign-on-address": { points: 120, duration: 15 * MINUTE, of: "steps of single sign-on from one network" },
  // Further logins from new browsers are recorded, but nobody is told by mail.
  "new-login-account": { points: 10, duration: DAY, of: "messages about new logins to one account" },
  "factor-account": { points: 20, duration: HOUR, of: "wrong codes and passkeys for one account" },
  "register-address": { points: 20, duration: HOUR, of: "registrations from one network" },
  // For requesting reset codes and entering them. An account is identified by its email, whether it exists or not.
  "recovery-account": { points: 5, duration: HOUR, of: "reset codes for one email address" },
  "recovery-device": { points: 5, duration: HOUR, of: "reset codes for a browser where the account was logged in" },
  "recovery-address": { points: 30, duration: HOUR, of: "requests for reset codes from one network" },
  "reset-code-account": {
    points: 20,
    duration: 15 * MINUTE,
    of: "entered reset codes for one email address from one network",
  },
  "reset-code-address": { points: 60, duration: 15 * MINUTE, of: "questions about reset codes from one network" },
  "security-answer": { points: 10, duration: 24 * HOUR, of: "security answers for one account" },
  "verification-account": { points: 5, duration: HOUR, of: "messages with a link for one account" },
  "invitation-company": { points: 30, duration: DAY, of: "invitations to one company" },
  "domain-check-company": { points: 60, duration: HOUR, of: "checks of domains by one company" },
  "domain-mail-company": { points: 20, duration: DAY, of: "messages to confirm domains by one company" },
  "domain-mail-address": { points: 5, duration: DAY, of: "messages to confirm domains to one address" },
  "partner-mail-company": { points: 300, duration: DAY, of: "messages to partners of certificates by one company" },
  "partner-mail-address": {
    points: 5,
    duration: DAY,
    of: "messages to one partner of certificates, whoever sends them",
  },
  "partner-answer-link": { points: 20, duration: DAY, of: "answers of one partner of a certificate" },
  "register-company": {
    points: 60,
    duration: HOUR,
    of: "changes of what one company publishes in the register of codes",
  },
  "webhook-company": {
    points: 60,
    duration: HOUR,
    of: "saved addresses of webhooks and messages sent by hand to them by one company",
  },
  "verification-day": { points: 10, duration: DAY, of: "messages with a link for one account" },
  // For stored orders; refused orders do not count. An account is new until its address is confirmed and staff have accepted one of its
  // orders.
  "order-account": { points: 300, duration: DAY, of: "orders by one account" },
  "order-new-account": {
    points: 30,
    duration: DAY,
    of: "orders by an account without a confirmed email address or an accepted order",
  },
  "contact-change-order": { points: 5, duration: DAY, of: "changes of the authentication contact of one order" },
  "authorise-address": { points: 60, duration: HOUR, of: "opened links from one network" },
  "promotion-account": { points: 60, duration: HOUR, of: "promotion codes by one account" },
  "csr-account": { points: 120, duration: HOUR, of: "CSRs by one account" },
  // Only keys of other accounts that were refused count. Without a try left, no CSR of the account is checked.
  "key-account": { points: 10, duration: HOUR, of: "CSRs by one account whose key cannot be used" },
  "preflight-address": { points: 60, duration: HOUR, of: "CSRs checked without an account from one network" },
  "key-proof-address": { points: 30, duration: HOUR, of: "proofs of a compromised key from one network" },
  "partner-address": { points: 30, duration: 15 * MINUTE, of: "partner logins from one network" },
  "frame-account": { points: 60, duration: 15 * MINUTE, of: "questions to partners about their forms by one account" },
  "vat-account": { points: 60, duration: HOUR, of: "checks of VAT numbers by one account" },
  // For JSON calls: by the account of the token, or by the network where there is no token.
  "api-account": { points: 1200, duration: MINUTE, of: "calls by one account" },
  "api-address": { points: 300, duration: MINUTE, of: "calls without an account from one network" },
  "api-client": { points: 1200, duration: MINUTE, of: "calls by one API client" },
  // Only wrong secrets count: a program with the right one is never kept out by others.
  "client-secret": { points: 20, duration: 15 * MINUTE, of: "wrong secrets of one API client from one network" },
  "client-address": { points: 60, duration: 15 * MINUTE, of: "wrong secrets of API clients from one network" },
  // Every request of an ACME client counts, and takes some twenty for a certificate.
  "acme-address": { points: 1200, duration: MINUTE, of: "ACME requests from one network" },
  "acme-binding-address": { points: 30, duration: 15 * MINUTE, of: "wrong keys of new ACME accounts from one network" },
  "token-address": { points: 60, duration: MINUTE, of: "calls with an unknown token from one network" },
} as const;

export type Limit = keyof typeof LIMITS;

/** The limits that count by the name or address that was typed. An erasure deletes their counts. */
export const LIMITS_BY_NAME = ["login-account", "recovery-account", "reset-code-account"] as const satisfies Limit[];

const secondsOf = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000));

const limiters = memoize(() => new Map<Limit, RateLimiterStoreAbstract>());

function limiterFor(limit: Limit): RateLimiterStoreAbstract {
  const { dialect, driver } = getConnection();
  const { points, duration } = LIMITS[limit];
  const options = {
    points,
    duration,
    keyPrefix: limit,
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

const LONGEST_NAME = 200;

const storedKey = (key: string | number) =>
  String(key)
    .toLowerCase()
    .slice(0, LONGEST_NAME + 30);

/** A try that was refused: the seconds until the next one is possible, and whether it is the first refusal within the time of the limit. */
interface Refusal {
  retryAfter: number;
  isFirst: boolean;
}

async function consume(limit: Limit, key: string | number): Promise<Refusal | null> {
  if (!getEnv().rateLimits) return null;
  try {
    await limiterFor(limit).consume(storedKey(key));
    return null;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return { retryAfter: secondsOf(error), isFirst: error.consumedPoints === LIMITS[limit].points + 1 };
  }
}

/**
 * Consumes one of the tries that a key has. Returns null when there was one, otherwise the seconds until there is one again. With
 * RATE_LIMITS=off there is always one. Must not be called inside a transaction.
 */
export const tryToConsume = async (limit: Limit, key: string | number): Promise<number | null> =>
  (await consume(limit, key))?.retryAfter ?? null;

/**
 * Consumes a try. Throws a PortalError (429) that names the limit when there was none. Must not be called inside a transaction.
 *
 * @param onFirst Called before the error is thrown, but only for the first refusal within the time of the limit.
 */
export async function consumeTry(limit: Limit, key: string | number, onFirst?: () => Promise<void>): Promise<void> {
  const refusal = await consume(limit, key);
  if (!refusal) return;
  if (refusal.isFirst) await onFirst?.();
  const { retryAfter } = refusal;
  const detail = `There were more than ${atMost(limit)}.`;
  throw new PortalError(tooManyTries(limit, retryAfter), { code: "rate-limit", status: 429, retryAfter, detail });
}

/** Returns the key of a limit that is counted for an account or email address in one network. */
export const fromNetwork = (name: string, network: string): string => `${name.slice(0, LONGEST_NAME)}|${network}`;

/** Returns the seconds until a key has a try again, or null when it has one. Consumes none. Must not be called inside a transaction. */
export async function secondsUntilTry(limit: Limit, key: string | number): Promise<number | null> {
  if (!getEnv().rateLimits) return null;
  const state = await limiterFor(limit).get(storedKey(key));
  return state !== null && state.remainingPoints <= 0 ? secondsOf(state) : null;
}

/** Gives back a try that had no result. */
export async function giveBackTry(limit: Limit, key: string | number): Promise<void> {
  if (getEnv().rateLimits) await limiterFor(limit).reward(storedKey(key));
}

/** Resets the tries of a key, in all networks. */
export const resetTries = (db: DbOrTrx, limit: Limit, key: string | number): Promise<void> =>
  deleteRateLimits(db, `${limit}:${storedKey(key)}`);

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;

/** Returns the time of a limit in words: '1 minute', '60 minutes', '24 hours'. */
export const limitTime = (limit: Limit): string => {
  const { duration } = LIMITS[limit];
  return duration > HOUR ? counted(duration / HOUR, "hour") : counted(duration / MINUTE, "minute");
};

/** Returns every limit in words for documents: what is counted, how often it may happen, and within which time. */
export const listLimits = (): [of: string, points: number, time: string][] =>
  (Object.keys(LIMITS) as Limit[]).map((limit) => [LIMITS[limit].of, LIMITS[limit].points, limitTime(limit)]);

function lasting(seconds: number): string {
  if (seconds < 2 * MINUTE) return counted(seconds, "second");
  return seconds <= 2 * HOUR
    ? counted(Math.ceil(seconds / MINUTE), "minute")
    : counted(Math.ceil(seconds / HOUR), "hour");
}

function atMost(limit: Limit): string {
  const { points, of } = LIMITS[limit];
  return `${points} ${of} within ${limitTime(limit)}`;
}

/** Returns the message for a refused try. It names the limit and says when the next try is possible. */
export const tooManyTries = (limit: Limit, seconds: number): string =>
  `Too many attempts: at most ${atMost(limit)}. Please try again in ${lasting(seconds)}.`;
