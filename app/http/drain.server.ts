import { type IncomingMessage, type ServerResponse } from "node:http";
import { BODY_LIMIT } from "./limits";

/** The largest number of bytes that are discarded after an answer. A client that sends more loses the connection. */
const MOST_BYTES = 8 * BODY_LIMIT;
const LONGEST_MS = 10_000;

/** Reads the rest of a body, up to MOST_BYTES and LONGEST_MS, and discards it. */
function drain(request: IncomingMessage): void {
  let left = MOST_BYTES;
  const end = setTimeout(() => request.destroy(), LONGEST_MS).unref();
  request.once("close", () => clearTimeout(end));
  // Remix reads a body only when something asks for it, and nothing does after the answer.
  request.removeAllListeners("data");
  request.on("data", (part: Buffer) => {
    left -= part.length;
    if (left < 0) request.destroy();
  });
  request.resume();
}

/**
 * Discards the rest of a body when the answer is sent before the body has been read. Clients and proxies reuse connections, and the next
 * request on this one would otherwise wait behind the body for ever.
 */
export function drainAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (length === undefined && encoding === undefined) return; // there is no body (RFC 9112 §6.3)
  response.once("finish", () => {
    if (!request.complete && !request.destroyed) drain(request);
  });
}
