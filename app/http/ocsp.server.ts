import { type IncomingMessage, type ServerResponse } from "node:http";
import { type OcspAnswer } from "~/domain/ocsp/answer.service.server";
import { logError } from "~/lib/log.server";
import { paths } from "~/lib/paths";
import { CHANGED, precondition } from "./conditional.server";

/** The largest request that is read, in bytes: more than a hundred certificates. */
const BODY_LIMIT = 16 * 1024;

const METHODS = ["GET", "HEAD", "POST"];

/** Where OCSP is asked: the address itself, or anything below it. */
const ADDRESS = new RegExp(`^${paths.ocsp}(?=[/?]|$)`);

/** The request's bytes from the path behind `/ocsp/` (RFC 6960 appendix A.1): base64, its slashes and signs percent-encoded or not. */
function fromPath(url: string): Uint8Array {
  const path = (url.split("?", 1)[0] ?? "").replace(ADDRESS, "").replace(/^\/+/, "");
  try {
    const text = decodeURIComponent(path).replaceAll(" ", "+");
    return Buffer.from(/^[\w+/-]+={0,2}$/.test(text) ? text : "", "base64");
  } catch {
    return Buffer.alloc(0);
  }
}

/** The body, read to its end: an answer in the middle of it would not arrive. Null when it is too large. */
async function fromBody(request: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= BODY_LIMIT) chunks.push(chunk);
  }
  return length <= BODY_LIMIT ? Buffer.concat(chunks) : null;
}

/** Headers for caches between us and the client (RFC 5019 §6.2). */
function cacheHeaders(caching: OcspAnswer["caching"], now: number): Record<string, string> {
  if (!caching) return { "Cache-Control": "no-store" };
  const { etag, thisUpdate, nextUpdate, renewAt } = caching;
  const maxAge = Math.max(Math.floor((renewAt.getTime() - now) / 1000), 0);
  return {
    "Cache-Control": `max-age=${maxAge}, public, no-transform, must-revalidate`,
    ETag: etag,
    "Last-Modified": thisUpdate.toUTCString(),
    Expires: nextUpdate.toUTCString(),
  };
}

const CONDITIONS = ["if-match", "if-unmodified-since", "if-none-match", "if-modified-since"] as const;

/** What a GET's preconditions say of the answer; null without any. */
function preconditionOf({ headers }: IncomingMessage, caching: NonNullable<OcspAnswer["caching"]>) {
  const given = CONDITIONS.flatMap((name): [string, string][] => (headers[name] ? [[name, headers[name]]] : []));
  if (given.length === 0) return null;
  return precondition({ headers: new Headers(given) }, { etag: caching.etag, lastModified: caching.thisUpdate });
}

const refuse = (response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", ...headers }).end(`${text}\n`);

function send(request: IncomingMessage, response: ServerResponse, { der, caching }: OcspAnswer): void {
  const kept = request.method === "POST" ? null : caching;
  const headers = cacheHeaders(kept, Date.now());
  const status = kept && preconditionOf(request, kept);
  if (status === 304) return void response.writeHead(304, headers).end();
  if (status === 412) return refuse(response, 412, CHANGED, { "Cache-Control": "no-store" });
  response.writeHead(200, {
    ...headers,
    "Content-Type": "application/ocsp-response",
    "Content-Length": der.length,
    "X-Content-Type-Options": "nosniff",
  });
  response.end(der);
}

/**
 * Answers OCSP requests by GET and POST and hands everything else on. On Node's own request: what Express does for pages costs more
 * than a prepared answer. `count` is told how each was answered. Every answer of OCSP itself, errors included, is a 200 (RFC 6960 appendix A.2).
 */
export function ocspHandler(
  answer: (der: Uint8Array) => Promise<OcspAnswer>,
  count: (status: OcspAnswer["status"]) => void = () => undefined,
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  async function handle(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
    if (!METHODS.includes(request.method ?? "")) {
      return refuse(response, 405, "This method is not supported.", { Allow: METHODS.join(", ") });
    }
    const der = request.method === "POST" ? await fromBody(request) : fromPath(url);
    if (!der) return refuse(response, 413, "An OCSP request has 16 KB at most.");
    const answered = await answer(der);
    count(answered.status);
    send(request, response, answered);
  }
  return (request, response, next) => {
    const { url = "" } = request;
    if (!ADDRESS.test(url)) return next();
    handle(request, response, url).catch((error: unknown) => {
      if (response.destroyed) return; // the client went away
      logError(error, { code: "ocsp" });
      response.destroy();
    });
  };
}
