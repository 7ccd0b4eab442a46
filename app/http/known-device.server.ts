import { randomBytes } from "node:crypto";
import { createCookie } from "@remix-run/node";
import { z } from "zod";
import { type KnownDevice, type LoginOrigin } from "~/domain/accounts/login-origin";
import { KNOWN_DAYS } from "~/domain/accounts/login-places.server";
import { getEnv, requireSecret } from "~/lib/env.server";
import { memoize } from "~/lib/memoize.server";
import { cookieName } from "./cookie-name.server";
import { addressOf } from "./rate-limit.server";

/** The number of accounts for which a browser can be known. The oldest is dropped. */
const MOST = 5;

/** The cookie identifies accounts by id only. Somebody who reads it learns neither name nor email address. */
const content = z.array(
  z.object({ userId: z.number().int(), epoch: z.number().int(), id: z.string().max(40), since: z.number() }).strict(),
);

const cookie = memoize(() => {
  const { isHttps, sessionSecrets } = getEnv();
  return createCookie(cookieName("marque-device"), {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: isHttps,
    maxAge: KNOWN_DAYS * 86_400,
    secrets: requireSecret(sessionSecrets, "SESSION_SECRETS"),
  });
});

async function devicesOf(request: Request): Promise<KnownDevice[]> {
  const given: unknown = await cookie().parse(request.headers.get("Cookie"));
  return content.safeParse(given).data ?? [];
}

/** Returns the origin of a request: the accounts that are known in its browser, and its network. */
export const originOf = async (request: Request): Promise<LoginOrigin> => ({
  network: addressOf(request),
  devices: await devicesOf(request),
});

/**
 * Returns the `Set-Cookie` headers of an answer that logs a user in. One is the session; the other marks the account as known in this
 * browser, as in OWASP's 'Slow Down Online Guessing Attacks with Device Cookies'. The mark ends when the account's password changes.
 */
export async function loggedInCookies(
  request: Request,
  user: { id: number; sessionEpoch: number },
  session: string,
): Promise<[string, string][]> {
  const device = {
    userId: user.id,
    epoch: user.sessionEpoch,
    id: randomBytes(16).toString("base64url"),
    since: Date.now(),
  };
  const others = (await devicesOf(request)).filter(({ userId }) => userId !== user.id);
  const known = await cookie().serialize([device, ...others].slice(0, MOST));
  return [
    ["Set-Cookie", session],
    ["Set-Cookie", known],
  ];
}
