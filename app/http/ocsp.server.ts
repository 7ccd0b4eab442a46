import { type IncomingMessage, type ServerResponse } from "node:http";
import { type AskedStatus, type OcspAnswer, type OcspCaching } from "~/domain/ocsp/answer.service.server";
import { logError } from "~/lib/log.server";
import { networkOf } from "~/lib/networks.server";
import { serverPaths } from "~/lib/server-paths.server";
import { type ProxyTrust } from "~/lib/trust-proxy-env.server";
import { clientAddressOf } from "./client-address.server";
import { CHANGED, precondition } from "./conditional.server";

/** The largest request in bytes. It is enough for more than a hundred certificates. */
const BODY_LIMIT = 16 * 1024;

const METHODS = ["GET", "HEAD", "POST"];

/** The address of the OCSP responder, and every path below it. */
const ADDRESS = new RegExp(`^${serverPaths.ocsp}(?=[/?]|$)`);

/**
 * Returns the bytes of the request from the path after `/ocsp/` (RFC 6960 appendix A.1). It is base64; slashes and signs may be
 * percent-encoded.
 */
function fromPath(url: string): Uint8Array {
  const path = (url.split("?", 1)[0] ?? "").replace(ADDRESS, "").replace(/^\/+/, "");
  try {
    const text = decodeURIComponent(path).replaceAll(" ", "+");
    return Buffer.from(/^[\w+/-]+={0,2}$/.test(text) ? text : "", "base64");
  } catch {
    return Buffer.alloc(0);
  }
}

/** Reads the body to its end, because an answer before that would not arrive. Resolves with null when the body is too large. */
const fromBody = (request: IncomingMessage): Promise<Uint8Array | null> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_LIMIT) chunks.push(chunk);
    });
    request.on("end", () => {
      if (length > BODY_LIMIT) resolve(null);
      else resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks));
    });
    request.on("error", reject);
    request.on("close", () => {
      if (!request.complete) reject(new Error("The request ended early."));
    });
  });

/** Returns the headers for caches between the portal and the client (RFC 5019 §6.2). `second` is the time in seconds since 1970. */
function makeCacheHeaders({ etag, thisUpdate, nextUpdate, renewAt }: OcspCaching, second: number) {
  const maxAge = Math.max(Math.floor(renewAt.getTime() / 1000) - second, 0);
  return {
    "Cache-Control": `max-age=${maxAge}, public, no-transform, must-revalidate`,
    ETag: etag,
    "Last-Modified": thisUpdate.toUTCString(),
    Expires: nextUpdate.toUTCString(),
  };
}

/** The headers of each prepared answer, which are the same for a second. Making them would take as long as finding the answer. */
const headersNow = new WeakMap<OcspCaching, { second: number; headers: Record<string, string> }>();

function cacheHeaders(caching: OcspAnswer["caching"], now: number): Record<string, string> {
  if (!caching) return { "Cache-Control": "no-store" };
  const second = Math.floor(now / 1000);
  const known = headersNow.get(caching);
  if (known?.second === second) return known.headers;
  const headers = makeCacheHeaders(caching, second);
  headersNow.set(caching, { second, headers });
  return headers;
}

const CONDITIONS = ["if-match", "if-unmodified-since", "if-none-match", "if-modified-since"] as const;

/** Returns the result of a GET's preconditions, or null when it has none. */
function preconditionOf({ headers }: IncomingMessage, caching: NonNullable<OcspAnswer["caching"]>) {
  const given = CONDITIONS.flatMap((name): [string, string][] => (headers[name] ? [[name, headers[name]]] : []));
  if (given.length === 0) return null;
  return precondition({ headers: new Headers(given) }, { etag: caching.etag, lastModified: caching.thisUpdate });
}

const TEXT = { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" };

const refuse = (response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { ...TEXT, ...headers }).end(`${text}\n`);

/** When a client that gets tryLater may try again, in seconds. */
const TRY_AGAIN = { "Retry-After": "1" };

function send(request: IncomingMessage, response: ServerResponse, { status: outcome, der, caching }: OcspAnswer): void {
  const validity = request.method === "POST" ? null : caching;
  const headers = cacheHeaders(validity, Date.now());
  const status = validity && preconditionOf(request, validity);
  if (status === 304) return void response.writeHead(304, headers).end();
  if (status === 412) return refuse(response, 412, CHANGED, { "Cache-Control": "no-store" });
  response.writeHead(200, {
    ...headers,
    ...(outcome === "tryLater" && TRY_AGAIN),
    "Content-Type": "application/ocsp-response",
    "Content-Length": der.length,
    "X-Content-Type-Options": "nosniff",
  });
  response.end(der);
}

/**
 * Returns a handler that answers OCSP requests by GET and POST and passes on all others. It works on Node's own request, because Express
 * would take longer than sending a prepared answer does. `count` is called with the status of each answer. `isTrusted` says whose forwarded
 * address of the client counts. Every OCSP answer has the HTTP status 200, errors included (RFC 6960 appendix A.2).
 */
export function ocspHandler(
  answer: (der: Uint8Array, asked: AskedStatus) => Promise<OcspAnswer>,
  count: (status: OcspAnswer["status"]) => void = () => undefined,
  isTrusted: ProxyTrust = () => false,
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  async function handle(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
    if (!METHODS.includes(request.method ?? "")) {
      return refuse(response, 405, "This method is not supported.", { Allow: METHODS.join(", ") });
    }
    const der = request.method === "POST" ? await fromBody(request) : fromPath(url);
    if (!der) return refuse(response, 413, "An OCSP request has 16 KB at most.");
    const answered = await answer(der, { network: () => networkOf(clientAddressOf(request, isTrusted)) });
    count(answered.status);
    send(request, response, answered);
  }
  return (request, response, next) => {
    const { url = "" } = request;
    if (!ADDRESS.test(url)) return next();
    handle(request, response, url).catch((error: unknown) => {
      if (response.destroyed) return; // the client has disconnected
      logError(error, { code: "ocsp" });
      response.destroy();
    });
  };
}
