import { createHash, timingSafeEqual } from "node:crypto";
import { noteEvent } from "./noted-refusals.server";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Returns whether a request has this secret as its bearer token (RFC 6750). The comparison takes the same time for every wrong token. */
export const bringsSecret = (request: Request, secret: string): boolean =>
  timingSafeEqual(digest(request.headers.get("Authorization") ?? ""), digest(`Bearer ${secret}`));

/** Returns whether a request's header has a bearer token, valid or not. */
export const bringsToken = ({ headers }: Request): boolean => /^Bearer +\S/i.test(headers.get("Authorization") ?? "");

/**
 * Returns the challenge of a 401 (RFC 6750 §3). When a token was sent, it names the reason: the token is unknown, expired or wrong (§3.1).
 * `own` holds further parameters of the challenge.
 */
export const challenge = (isTokenSent: boolean, own: readonly string[] = []): string => {
  const parts = [...own, ...(isTokenSent ? ['error="invalid_token"'] : [])];
  return ["Bearer", parts.join(", ")].filter(Boolean).join(" ");
};

/** Returns the challenge of a 403 for a token that lacks a scope (RFC 6750 §3.1). `scope` is null when no scope would do. */
export const insufficientScope = (scope: string | null): string =>
  `Bearer realm="api", error="insufficient_scope"${scope === null ? "" : `, scope="${scope}"`}`;

/** Returns a 401 for a request without the secret. */
export function secretMissing(request: Request, text: string): Response {
  noteEvent(request, "token.refused", text);
  return plainAnswer(401, text, { "WWW-Authenticate": challenge(bringsToken(request)) });
}

/** Returns a line of text for programs, which no cache may store. */
export const plainAnswer = (status: number, text: string, headers: Record<string, string> = {}): Response =>
  new Response(`${text}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
