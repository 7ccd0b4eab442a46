import pino from "pino";
import { getEnv } from "./env.server";
import { notedErrorCode } from "./error-code";
import { memoize } from "./memoize.server";

const HIDDEN = [
  "password",
  "csr",
  "token",
  "access_token",
  "secret",
  "client_secret",
  "clientSecret",
  "cookie",
  "authorization",
];

/**
 * Returns the properties of an error that are logged. Others are omitted: PostgreSQL's errors quote rows (`detail`), with password hashes
 * and tokens.
 */
function readable(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === "string" && { code }),
    ...(error.cause !== undefined && { cause: readable(error.cause) }),
  };
}

/** Returns a structured log that writes to standard output by default. It never contains secrets; see docs/operations.md. */
export const makeLog = (level: string, destination?: pino.DestinationStream): pino.Logger =>
  pino(
    {
      level,
      serializers: { err: readable },
      redact: {
        paths: HIDDEN.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: "[removed]",
      },
    },
    destination ?? pino.destination(1),
  );

/** The log of this process. */
export const log = memoize(() => makeLog(getEnv().logLevel));

export interface ErrorContext {
  request?: Request;
  /** Remix's load context, which carries the request id. */
  context?: unknown;
  /** Documented code, for example `CIA0101E`. */
  code?: string;
}

/** Returns a path without single-use tokens and the data of framed forms, so that it can be logged. */
export const loggablePath = (path: string): string =>
  path.replace(
    /^(\/(?:verify-email|invitation|authorise-order|confirm-domain|new-certificate|no-more-messages|stop-following|reset-code|login-as-user|home\/frame)\/).*/i,
    "$1[removed]",
  );

const requestIdOf = (context: unknown) => (context as { requestId?: string } | undefined)?.requestId;

/** Returns the code, request id, method and path. The query string is omitted because it may contain a token. */
const loggableContext = ({ request, context, code }: ErrorContext) => ({
  code,
  requestId: requestIdOf(context),
  method: request?.method,
  path: request && loggablePath(new URL(request.url).pathname),
});

/** Logs an unexpected error. */
export function logError(error: unknown, place: ErrorContext = {}): void {
  log().error({ err: error, ...loggableContext({ code: notedErrorCode(error), ...place }) }, "unexpected error");
}

/** Logs that a request was wrong, which is not an error of the portal. Remix's own message is omitted because it repeats the whole path. */
export function logRefusal(status: number, place: ErrorContext): void {
  log().warn({ status, ...loggableContext(place) }, "request refused");
}
