import { type Server } from "node:http";
import { setImmediate as accepted, setTimeout as sleep } from "node:timers/promises";

/**
 * How long an idle connection is kept. Reverse proxies keep theirs for 60 seconds or less. The side that waits longer never closes a
 * connection on which the other one is just sending a request, which a proxy must not repeat when it is a POST.
 */
const KEEP_ALIVE_MS = 75_000;

/** How often connections that have become idle are closed at the end. */
const CLOSE_IDLE_MS = 50;

/**
 * Lets a server end without breaking off a request.
 *
 * @returns A function that ends the server. For `delayMs` it still answers every request, and each answer ends its connection, so that
 *   proxies move to other processes. Then it accepts no more connections, and resolves when the last request has been answered.
 */
export function graceful(server: Server): (delayMs: number) => Promise<void> {
  let isEnding = false;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.prependListener("request", (_request, response) => {
    if (isEnding) response.setHeader("Connection", "close");
  });
  return async (delayMs) => {
    isEnding = true;
    await sleep(delayMs);
    await accepted(); // a connection that waits when the port closes is lost, with the form that was sent on it
    const timer = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
    await new Promise((resolve) => server.close(resolve));
    clearInterval(timer);
  };
}
