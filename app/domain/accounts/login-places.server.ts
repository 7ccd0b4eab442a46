import { createHash } from "node:crypto";
import { addDays, DAY } from "~/lib/dates";
import { getDb, type Trx } from "~db/connection.server";
import { findPlaceFailures, keepPlace } from "~db/repositories/login-places.server";
import { type UserRow } from "~db/repositories/users.server";
import { MAX_FAILURES } from "./accounts.policy";
import { type LoginOrigin } from "./login-origin";

/** How many days a browser or network stays known after a login. The functions below call a known browser or network a place. */
export const KNOWN_DAYS = 180;

export const placeEnd = (now: Date): Date => addDays(now, KNOWN_DAYS);

/** The place under which wrong passwords in open sessions of an account are counted. */
export const SESSION_PLACE = "session";

const networkPlace = (userId: number, network: string) =>
  `network:${createHash("sha256").update(`${userId} ${network}`).digest("base64url")}`;

/**
 * Returns the place of the browser in which this account was logged in before, according to its cookie. Returns null when the cookie has no
 * valid entry for the account.
 */
export function findDevice(
  { id, sessionEpoch }: Pick<UserRow, "id" | "sessionEpoch">,
  { devices }: LoginOrigin,
  now: Date,
): string | null {
  const device = devices?.find(({ userId, epoch }) => userId === id && epoch === sessionEpoch);
  return device && now.getTime() - device.since < KNOWN_DAYS * DAY ? `device:${device.id}` : null;
}

/**
 * Returns whether a place has tries of its own left.
 *
 * @param ifUnknown The answer when nothing is stored about the place.
 */
async function hasTries(userId: number, place: string, now: Date, ifUnknown: boolean): Promise<boolean> {
  const failures = await findPlaceFailures(getDb(), userId, place, now);
  return failures === null ? ifUnknown : failures < MAX_FAILURES;
}

/**
 * Returns the place where the account was logged in before and that has fewer than five wrong passwords in a row. Returns null for every
 * other origin. Wrong passwords from elsewhere do not count for the place.
 */
export async function findKnownPlace(
  user: Pick<UserRow, "id" | "sessionEpoch">,
  origin: LoginOrigin,
  now: Date,
): Promise<string | null> {
  const isProgram = origin.devices === null;
  const place = isProgram ? networkPlace(user.id, origin.network) : findDevice(user, origin, now);
  return place && (await hasTries(user.id, place, now, !isProgram)) ? place : null;
}

/** Returns whether the account was logged in from this network before. */
export const isKnownNetwork = async (userId: number, network: string, now: Date): Promise<boolean> =>
  (await findPlaceFailures(getDb(), userId, networkPlace(userId, network), now)) !== null;

/** Returns the place of the account's open sessions, or null after five wrong passwords in a row there. */
export const findSessionPlace = async (userId: number, now: Date): Promise<string | null> =>
  (await hasTries(userId, SESSION_PLACE, now, true)) ? SESSION_PLACE : null;

/** Records a login, so that programs in this network are known from now on. A browser gets a new cookie instead, with tries of its own. */
export async function noteLoginNetwork(trx: Trx, userId: number, network: string, now: Date): Promise<void> {
  if (network) await keepPlace(trx, userId, networkPlace(userId, network), placeEnd(now));
}
