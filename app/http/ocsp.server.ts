import { type IncomingMessage, type ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { type AskedStatus, isRightStill, type OcspAnswer, type OcspCaching } from "~/domain/ocsp/answer.service.server";
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

/** An answer that caches may keep. */
type PreparedAnswer = OcspAnswer & { caching: OcspCaching };

const isPrepared = (answer: OcspAnswer): answer is PreparedAnswer => answer.caching !== null;

const thisSecond = () => Math.floor(Date.now() / 1000);

/** Returns the headers for caches between the portal and the client (RFC 5019 §6.2). `second` is the time in seconds since 1970. */
function cacheHeaders({ etag, thisUpdate, nextUpdate, renewAt }: OcspCaching, second: number) {
  const maxAge = Math.max(Math.floor(renewAt.getTime() / 1000) - second, 0);
  return {
    "Cache-Control": `max-age=${maxAge}, public, no-transform, must-revalidate`,
    ETag: etag,
    "Last-Modified": thisUpdate.toUTCString(),
    Expires: nextUpdate.toUTCString(),
  };
}

const contentHeaders = ({ length }: Uint8Array) => ({
  "Content-Type": "application/ocsp-response",
  "Content-Length": length,
  "X-Content-Type-Options": "nosniff",
});

/** The headers of each prepared answer, which are the same for a second. Making them would take as long as finding the answer. */
const headersNow = new WeakMap<OcspCaching, { second: number; headers: Record<string, string | number> }>();

function preparedHeaders({ der, caching }: PreparedAnswer): Record<string, string | number> {
  const second = thisSecond();
  const known = headersNow.get(caching);
  if (known?.second === second) return known.headers;
  const headers = { ...cacheHeaders(caching, second), ...contentHeaders(der) };
  headersNow.set(caching, { second, headers });
  return headers;
}

const CONDITIONS = ["if-match", "if-unmodified-since", "if-none-match", "if-modified-since"] as const;

/** Returns the result of a GET's preconditions, or null when it has none. */
function preconditionOf({ headers }: IncomingMessage, caching: OcspCaching) {
  if (!CONDITIONS.some((name) => headers[name])) return null;
  const given = CONDITIONS.flatMap((name): [string, string][] => (headers[name] ? [[name, headers[name]]] : []));
  return precondition({ headers: new Headers(given) }, { etag: caching.etag, lastModified: caching.thisUpdate });
}

const TEXT = { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" };

const refuse = (response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { ...TEXT, ...headers }).end(`${text}\n`);

/** When a client that gets tryLater may try again, in seconds. */
const TRY_AGAIN = { "Retry-After": "1" };

/** Sends an answer that caches may not keep: every answer to a POST, and errors. */
function send(response: ServerResponse, { status, der }: OcspAnswer): void {
  const mayRetry = status === "tryLater" && TRY_AGAIN;
  response.writeHead(200, { "Cache-Control": "no-store", ...mayRetry, ...contentHeaders(der) }).end(der);
}

/** Sends an answer that caches may keep, as far as the client does not have it already. */
function sendPrepared(request: IncomingMessage, response: ServerResponse, answer: PreparedAnswer): void {
  const status = preconditionOf(request, answer.caching);
  if (status === 412) return refuse(response, 412, CHANGED, { "Cache-Control": "no-store" });
  if (status === 304) return void response.writeHead(304, cacheHeaders(answer.caching, thisSecond())).end();
  response.writeHead(200, preparedHeaders(answer)).end(answer.der);
}

/** The number of addresses whose answers are found without reading the request in them, and how long one may be. About 5 MB at most. */
const MOST_ADDRESSES = 10_000;
const MAX_ADDRESS = 400;

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
  const prepared = new LRUCache<string, PreparedAnswer>({ max: MOST_ADDRESSES });

  /** Answers a GET at once when nothing has changed since the same GET was answered. Returns false when it cannot. */
  function answerAtOnce(request: IncomingMessage, response: ServerResponse, url: string): boolean {
    const found = request.method === "GET" && prepared.get(url);
    if (!found || !isRightStill(found.caching, new Date())) return false;
    count(found.status);
    sendPrepared(request, response, found);
    return true;
  }

  async function handle(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
    if (!METHODS.includes(request.method ?? "")) {
      return refuse(response, 405, "This method is not supported.", { Allow: METHODS.join(", ") });
    }
    const der = request.method === "POST" ? await fromBody(request) : fromPath(url);
    if (!der) return refuse(response, 413, "An OCSP request has 16 KB at most.");
    const answered = await answer(der, { network: () => networkOf(clientAddressOf(request, isTrusted)) });
    count(answered.status);
    if (request.method === "POST" || !isPrepared(answered)) return send(response, answered);
    if (url.length <= MAX_ADDRESS) prepared.set(url, answered);
    sendPrepared(request, response, answered);
  }
  return (request, response, next) => {
    const { url = "" } = request;
    if (answerAtOnce(request, response, url)) return;
    if (!ADDRESS.test(url)) return next();
    handle(request, response, url).catch((error: unknown) => {
      if (response.destroyed) return; // the client has disconnected
      logError(error, { code: "ocsp" });
      response.destroy();
    });
  };
}
