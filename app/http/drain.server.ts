import { type IncomingMessage, type ServerResponse } from "node:http";
import { BODY_LIMIT } from "./limits";

/** What is thrown away behind an answer, at most; who goes on sending loses the connection. */
const MOST_BYTES = 8 * BODY_LIMIT;
const LONGEST_MS = 10_000;

/** Reads the rest of a body to its end, within bounds, and throws it away. */
function drain(request: IncomingMessage): void {
  let left = MOST_BYTES;
  const end = setTimeout(() => request.destroy(), LONGEST_MS).unref();
  request.once("close", () => clearTimeout(end));
  // Remix reads a body only as far as somebody asks for it, and nobody will ask any more.
  request.removeAllListeners("data");
  request.on("data", (part: Buffer) => {
    left -= part.length;
    if (left < 0) request.destroy();
  });
  request.resume();
}

/**
 * Sees to it that a request that is answered before its body was read does no harm to the next one on the same connection: that would
 * wait behind the body for ever, and clients and proxies keep connections for many requests.
 */
export function drainAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (!request.complete && !request.destroyed) drain(request);
  });
}
