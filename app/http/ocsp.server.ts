import { type Request, type RequestHandler, type Response } from "express";
import { type OcspAnswer } from "~/domain/ocsp/answer.service.server";

/** The largest request that is read, in bytes: more than a hundred certificates. */
const BODY_LIMIT = 16 * 1024;

const METHODS = ["GET", "HEAD", "POST"];

/** The request's bytes from the path behind `/ocsp/` (RFC 6960 appendix A.1): base64, its slashes and signs percent-encoded or not. */
function fromPath(url: string): Uint8Array {
  const path = url.slice(1).split("?", 1)[0] ?? "";
  try {
    const text = decodeURIComponent(path).replaceAll(" ", "+");
    return Buffer.from(/^[\w+/-]+={0,2}$/.test(text) ? text : "", "base64");
  } catch {
    return Buffer.alloc(0);
  }
}

/** The body, read to its end: an answer in the middle of it would not arrive. Null when it is too large. */
async function fromBody(request: Request): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= BODY_LIMIT) chunks.push(chunk);
  }
  return length <= BODY_LIMIT ? Buffer.concat(chunks) : null;
}

/** Headers for caches between us and the client (RFC 5019 §6.2). */
function cacheHeaders({ caching }: OcspAnswer, now: Date): Record<string, string> {
  if (!caching) return { "Cache-Control": "no-store" };
  const { etag, thisUpdate, nextUpdate, renewAt } = caching;
  const maxAge = Math.max(Math.floor((renewAt.getTime() - now.getTime()) / 1000), 0);
  return {
    "Cache-Control": `max-age=${maxAge}, public, no-transform, must-revalidate`,
    ETag: etag,
    "Last-Modified": thisUpdate.toUTCString(),
    Expires: nextUpdate.toUTCString(),
  };
}

function send(request: Request, response: Response, answer: OcspAnswer): void {
  const isCacheable = request.method !== "POST";
  response.set(cacheHeaders(isCacheable ? answer : { ...answer, caching: null }, new Date()));
  if (isCacheable && answer.caching && request.fresh) return void response.status(304).end();
  response.set({
    "Content-Type": "application/ocsp-response",
    "Content-Length": String(answer.der.length),
    "X-Content-Type-Options": "nosniff",
  });
  response.end(answer.der);
}

/** Answers OCSP requests by GET and POST. Every answer of OCSP itself, errors included, is a 200 (RFC 6960 appendix A.2). */
export function ocspHandler(answer: (der: Uint8Array) => Promise<OcspAnswer>): RequestHandler {
  async function handle(request: Request, response: Response): Promise<void> {
    if (!METHODS.includes(request.method)) {
      response.set("Allow", METHODS.join(", "));
      return void response.status(405).type("text").send("This method is not supported.\n");
    }
    const der = request.method === "POST" ? await fromBody(request) : fromPath(request.url);
    if (!der) return void response.status(413).type("text").send("An OCSP request has 16 KB at most.\n");
    send(request, response, await answer(der));
  }
  return (request, response, next) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.destroyed) next(error); // else the client went away
    });
  };
}
