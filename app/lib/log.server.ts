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

/** A path as it may be logged: single-use tokens in it are left out. */
export const loggablePath = (path: string): string =>
  path.replace(/^(\/(?:verify-email|authorise-order|reset-code|login-as-user)\/).*/i, "$1[removed]");

const requestIdOf = (context: unknown) => (context as { requestId?: string } | undefined)?.requestId;

/** Logs an unforeseen error with its request id, method and path; the query, which may carry a token, is left out. */
export function logError(error: unknown, { request, context, code }: ErrorPlace = {}): void {
  const url = request ? new URL(request.url) : undefined;
  log().error(
    {
      err: error,
      code,
      requestId: requestIdOf(context),
      method: request?.method,
      path: url && loggablePath(url.pathname),
    },
    "unexpected error",
  );
}
