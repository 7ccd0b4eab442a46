import { newNonce } from "~/domain/acme/nonces.server";
import { AcmeProblem } from "~/domain/acme/problem";
import { acmeUrls } from "~/domain/acme/urls.server";
import { GENERIC_ERROR, isOutage, isPortalError } from "~/lib/errors";

/** What a resource answers. `body` is sent as JSON, `text` as it is. */
export interface AcmeAnswer {
  status?: number;
  body?: unknown;
  text?: { type: string; content: string };
  headers?: Readonly<Record<string, string>>;
  /** Further links (RFC 8288), such as `<…>;rel="alternate"`. */
  links?: readonly string[];
  /** Seconds after which the client asks again. */
  retryAfter?: number | undefined;
}

const NO_STORE = { "Cache-Control": "no-store" };

/** Returns a link of an answer (RFC 8288). */
export const link = (url: string, rel: string): string => `<${url}>;rel="${rel}"`;

/** Returns the answer as a response. Every one but the directory has a link to that (RFC 8555 §7.1). */
export function respond({ status = 200, body, text, headers, links = [], retryAfter }: AcmeAnswer): Response {
  const type = body === undefined ? text?.type : "application/json";
  const all = new Headers({ ...NO_STORE, ...(type !== undefined && { "Content-Type": type }), ...headers });
  for (const one of [link(acmeUrls.directory(), "index"), ...links]) all.append("Link", one);
  if (retryAfter !== undefined) all.set("Retry-After", String(retryAfter));
  return new Response(body === undefined ? (text?.content ?? null) : JSON.stringify(body), { status, headers: all });
}

/** Adds a fresh nonce for the next request (RFC 8555 §6.5). */
export async function withNonce(response: Response): Promise<Response> {
  response.headers.set("Replay-Nonce", await newNonce());
  return response;
}

/** Returns the error as clients get it. What is unexpected says nothing but that it happened. */
function asProblem(error: unknown): AcmeProblem {
  if (error instanceof AcmeProblem) return error;
  if (!isPortalError(error)) return new AcmeProblem("serverInternal", GENERIC_ERROR);
  const { message, status, retryAfter } = error;
  if (status === 429) return new AcmeProblem("rateLimited", message, { retryAfter });
  if (isOutage(error)) return new AcmeProblem("serverInternal", message, { status, retryAfter });
  return status === 413
    ? new AcmeProblem("malformed", message, { status })
    : new AcmeProblem(status === 400 ? "malformed" : "unauthorized", message);
}

/** Returns the problem document of an error (RFC 8555 §6.7). */
export function problemResponse(error: unknown): Response {
  const problem = asProblem(error);
  const { headers, retryAfter } = problem.options;
  return respond({
    status: problem.status,
    body: problem.toDocument(),
    headers: { ...headers, "Content-Type": "application/problem+json" },
    retryAfter,
  });
}
