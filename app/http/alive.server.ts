import { type IncomingMessage, type ServerResponse } from "node:http";
import { serverPaths } from "~/lib/server-paths.server";

const ADDRESS = new RegExp(`^${serverPaths.alive}/?(?:\\?|$)`, "i");
const METHODS = ["GET", "HEAD"];
const HEADERS = {
  "Content-Type": "text/plain; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Answers `/healthz` while the process is alive, and passes on all other requests. Supervisors ask several times a second, so the answer
 * needs neither Express nor Remix, and is not logged.
 */
export function answerWhileAlive(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  if (!ADDRESS.test(request.url ?? "")) return next();
  if (METHODS.includes(request.method ?? "")) response.writeHead(200, { ...HEADERS, "Content-Length": 3 }).end("ok\n");
  else response.writeHead(405, { ...HEADERS, Allow: METHODS.join(", ") }).end("This method is not supported.\n");
}
