import { createHmac, timingSafeEqual } from "node:crypto";
import { DAY } from "~/lib/dates";
import { getEnv, requireSecret } from "~/lib/env.server";

/** How many days somebody has to make the proof, for example with a key in a hardware security module. */
export const CHALLENGE_LIFE_DAYS = 7;

/** 128 bits in base64url. */
const SEAL_LENGTH = 22;

/** What a challenge looks like. It fits into a common name, which has at most 64 characters (RFC 5280 appendix A). */
const CHALLENGE = /^compromised-(\d{4})(\d{2})(\d{2})-([\w-]{22})$/;

const dayOf = (date: Date) => date.toISOString().slice(0, 10).replaceAll("-", "");

const sealOf = (day: string, secret: string): string =>
  createHmac("sha256", secret).update(`key compromise ${day}`).digest("base64url").slice(0, SEAL_LENGTH);

const secrets = () => requireSecret(getEnv().sessionSecrets, "SESSION_SECRETS");

/**
 * Returns the text that somebody signs to report a private key as compromised. It is the same for everybody all day, so that a page that is
 * loaded again does not spoil a proof. A proof that is sent twice does no more than the first one, so it may be.
 */
export function keyChallenge(now = new Date()): string {
  const day = dayOf(new Date(now.getTime() + CHALLENGE_LIFE_DAYS * DAY));
  const [secret = ""] = secrets();
  return `compromised-${day}-${sealOf(day, secret)}`;
}

/** Returns when a challenge ends: at the end of the day that it names. Null when this portal did not make it. */
export function challengeEnd(challenge: string): Date | null {
  const match = CHALLENGE.exec(challenge);
  if (!match) return null;
  const [, year, month, day, seal] = match as unknown as [string, string, string, string, string];
  const given = Buffer.from(seal);
  const isOurs = secrets().some((secret) => timingSafeEqual(given, Buffer.from(sealOf(year + month + day, secret))));
  return isOurs ? new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) + 1)) : null;
}
