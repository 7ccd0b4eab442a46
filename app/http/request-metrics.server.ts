import { type IncomingMessage, type ServerResponse } from "node:http";
import { type AppLoadContext } from "@remix-run/node";
import { serverPaths } from "~/lib/server-paths.server";
import { type Locals } from "./security-headers.server";

interface Labels {
  /** The pattern of the route, never an address that somebody typed. */
  route: string;
  /** Such as `2xx`, or `aborted` when the client disconnected before the end. */
  status: string;
}

/** Returns the label of a request that no route answered. */
function outsideRemix(url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  if (path === serverPaths.ocsp || path.startsWith(`${serverPaths.ocsp}/`)) return serverPaths.ocsp;
  if (path === serverPaths.alive) return path;
  return path.startsWith("/build/") ? "/build/*" : "(other)";
}

const statusOf = ({ writableFinished, statusCode }: ServerResponse) =>
  writableFinished ? `${Math.floor(statusCode / 100)}xx` : "aborted";

/** Notes that a request reached this route. The deepest route is the one that answers it. */
export function noteRoute(context: AppLoadContext, pattern: string): void {
  if (pattern.length > (context.route?.length ?? 0)) context.route = pattern;
}

/** Measures every request from its arrival to the end of its answer, in seconds. */
export const measureRequests =
  (observe: (labels: Labels, seconds: number) => void) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const { url = "" } = request;
    const started = performance.now();
    response.once("close", () => {
      const route = (response as { locals?: Partial<Locals> }).locals?.context?.route ?? outsideRemix(url);
      observe({ route, status: statusOf(response) }, (performance.now() - started) / 1000);
    });
  };
