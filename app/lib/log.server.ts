import pino from "pino";
import { getEnv } from "./env.server";

/** Structured log on standard output. Secrets never reach it: see docs/operations.md. */
const holder = globalThis as typeof globalThis & { __marqueLog?: pino.Logger };

export const log = (): pino.Logger =>
  (holder.__marqueLog ??= pino({
    level: getEnv().logLevel,
    redact: {
      paths: ["*.password", "*.csr", "*.token", "req.headers.cookie", "req.headers.authorization"],
      censor: "[removed]",
    },
  }));

export interface ErrorPlace {
  request?: Request;
  /** Remix's load context, which carries the request id. */
  context?: unknown;
  /** Documented code, e.g. `CIA0101E`. */
  code?: string;
}

/** A path as it may be logged: single-use tokens and the data of framed forms in it are left out. */
export const loggablePath = (path: string): string =>
  path.replace(/^(\/(?:verify-email|authorise-order|reset-code|login-as-user|home\/frame)\/).*/i, "$1[removed]");

const requestIdOf = (context: unknown) => (context as { requestId?: string } | undefined)?.requestId;

/** The place with request id, method and path; the query, which may carry a token, is left out. */
const loggablePlace = ({ request, context, code }: ErrorPlace) => ({
  code,
  requestId: requestIdOf(context),
  method: request?.method,
  path: request && loggablePath(new URL(request.url).pathname),
});

/** Logs an unforeseen error. */
export function logError(error: unknown, place: ErrorPlace = {}): void {
  log().error({ err: error, ...loggablePlace(place) }, "unexpected error");
}

/** Logs that a request was wrong, which is nobody's failure here. Remix's own message is left out: it repeats the whole path. */
export function logRefusal(status: number, place: ErrorPlace): void {
  log().warn({ status, ...loggablePlace(place) }, "request refused");
}
