import { createHmac, timingSafeEqual } from "node:crypto";
import { getEnv, requireSecret } from "~/lib/env.server";
import { serverPaths } from "~/lib/server-paths.server";

/** 128 bits in base64url. */
const SEAL_LENGTH = 22;

/** The number of a follower and its seal. */
const TOKEN = /^(\d{1,9})-([\w-]{22})$/;

const secrets = () => requireSecret(getEnv().sessionSecrets, "SESSION_SECRETS");

const sealOf = (followerId: string, secret: string): string =>
  createHmac("sha256", secret).update(`stop following ${followerId}`).digest("base64url").slice(0, SEAL_LENGTH);

/**
 * Returns the address where somebody stops the messages about an entity without a login. It is the same in all of these messages, and can do
 * nothing else, so it is sealed and not stored.
 */
export function stopFollowingUrl(followerId: number): string {
  const [secret = ""] = secrets();
  const token = `${followerId}-${sealOf(String(followerId), secret)}`;
  return getEnv().publicUrl + serverPaths.stopFollowing(token);
}

/** Returns the number of the follower in the token of such an address, or null when this portal did not make it. */
export function followerOfToken(token: string): number | null {
  const [, id, seal] = TOKEN.exec(token) ?? [];
  if (id === undefined || seal === undefined) return null;
  const given = Buffer.from(seal);
  return secrets().some((secret) => timingSafeEqual(given, Buffer.from(sealOf(id, secret)))) ? Number(id) : null;
}
