import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Whether a request brings this secret as its bearer token (RFC 6750); it takes as long whatever is wrong. */
export const bringsSecret = (request: Request, secret: string): boolean =>
  timingSafeEqual(digest(request.headers.get("Authorization") ?? ""), digest(`Bearer ${secret}`));

/** Whether a request's header brings a bearer token, whatever it is worth. */
export const bringsToken = ({ headers }: Request): boolean => /^Bearer +\S/i.test(headers.get("Authorization") ?? "");

/** What a 401 asks for (RFC 6750 §3), with the reason where a token came: it is unknown, over or wrong (§3.1). In: parts of its own. */
export const challenge = (isTokenSent: boolean, own: readonly string[] = []): string => {
  const parts = [...own, ...(isTokenSent ? ['error="invalid_token"'] : [])];
  return ["Bearer", parts.join(", ")].filter(Boolean).join(" ");
};

/** A 401 to whoever did not bring the secret. */
export const secretMissing = (request: Request, text: string): Response =>
  plainAnswer(401, text, { "WWW-Authenticate": challenge(bringsToken(request)) });

/** A line of text for programs, kept by no cache. */
export const plainAnswer = (status: number, text: string, headers: Record<string, string> = {}): Response =>
  new Response(`${text}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
