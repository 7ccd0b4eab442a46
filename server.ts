import cluster from "node:cluster";
import { realpathSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import * as build from "@remix-run/dev/server-build";
import { createRequestHandler } from "@remix-run/express";
import compression from "compression";
import express from "express";
import prebuilt from "express-static-gzip";
import { keysForElsewhere } from "~/domain/authorities/key-files.server";
import { endOwnSigner, keepOwnSigner } from "~/domain/authorities/own-signer.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { startJobs } from "~/domain/jobs/jobs.service.server";
import { longWorkEnded } from "~/domain/jobs/long-work.service.server";
import { stopBeingReady } from "~/domain/jobs/readiness.service.server";
import { missingListNotice } from "~/domain/keys/published-keys.service.server";
import { answerWorkers, beginMeasuring } from "~/domain/metrics/process-metrics.server";
import { ocspResponder } from "~/domain/ocsp/answer.service.server";
import { preparePolicies, preparePoliciesAfterStart } from "~/domain/repository/policies/policies.service.server";
import { keepPublished } from "~/domain/repository/published.service.server";
import { securityEventsStored } from "~/domain/security-events/background.server";
import { keepAlive } from "~/domain/status/alive.server";
import { keepStatusFiles } from "~/domain/status/files.server";
import { afterwards } from "~/http/afterwards.server";
import { answerWhileAlive } from "~/http/alive.server";
import { clientAddress } from "~/http/client-address.server";
import { drainAfterAnswer } from "~/http/drain.server";
import { graceful } from "~/http/ending.server";
import { gate } from "~/http/gate.server";
import { beginPage } from "~/http/guard.server";
import { lastResort } from "~/http/last-resort.server";
import { answerUnreadable, refusingMalformed } from "~/http/malformed-request.server";
import { ocspHandler } from "~/http/ocsp.server";
import { withPortalErrors } from "~/http/portal-errors.server";
import { requestLog } from "~/http/request-log.server";
import { measureRequests } from "~/http/request-metrics.server";
import { type Locals, securityHeaders } from "~/http/security-headers.server";
import { storedPages } from "~/http/stored-pages.server";
import { ConfigError } from "~/lib/config-error";
import { getConfig } from "~/lib/config.server";
import { getEnv, requireRealUse, requireSecret, type Env } from "~/lib/env.server";
import { fourEyes } from "~/lib/four-eyes.server";
import { log, logError } from "~/lib/log.server";
import { paths } from "~/lib/paths";
import { requireWholeSingleSignOn } from "~/lib/single-sign-on.server";
import { closeDb, getConnection } from "~db/connection.server";
import { FORMER_DATABASE, isFormerDatabase } from "~db/migrate.server";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** Empty for a stored page whose scripts are allowed by their hashes. */
    cspNonce: string;
    requestId: string;
    /** Stands in the place of the visitor's CSRF token in a page that is made to be stored and shown to everybody who has no session. */
    storedToken?: string;
    /** Pattern of the route of the request, as far as it was matched. */
    route?: string;
    /** The request asks for the data of a page and not for the page, because the browser navigates within its document. */
    isNavigation?: boolean;
    /** The error that a route without a page threw, for the page that shows it. */
    refusal?: unknown;
    /** Headers that were sent without a value. Remix omits them from its request. */
    emptyHeaders?: readonly string[];
  }
}

/** The Remix build that this server uses, the environment that it reads, and how strictly several people must take part. */
export { build, fourEyes, getEnv };

/** Returns the HTTP application: ids, headers, static files and limits around the Remix build. */
function createApp(env: Env): express.Express {
  const app = express();
  app.disable("x-powered-by");
  const isTrusted = env.trustProxy ?? (() => false);
  app.set("trust proxy", isTrusted);

  app.use(requestLog);
  app.use(clientAddress(isTrusted));
  const routes = withPortalErrors(build);
  const pages = storedPages(routes);
  const atGate = gate(env);
  app.use(pages.find);
  app.use(securityHeaders(env));
  // A visitor to a repository page may open one of its PDFs next.
  app.use([paths.publicRepository, paths.homeRepository], afterwards(preparePolicies));
  app.use(pages.send(atGate));
  app.use(compression());
  app.use(
    "/build",
    prebuilt("public/build", {
      enableBrotli: true,
      orderPreference: ["br", "gz"],
      serveStatic: { immutable: true, maxAge: "1y", fallthrough: false },
    }),
  );
  app.use(express.static("public", { maxAge: "1h" }));
  app.use(atGate);
  const answer = createRequestHandler({
    build: routes,
    mode: env.mode,
    getLoadContext: (request, response) => {
      const { cspNonce, requestId } = response.locals as Locals;
      const emptyHeaders = Object.keys(request.headers).filter((name) => request.headers[name] === "");
      return (response.locals.context = { cspNonce, requestId, isNavigation: "_data" in request.query, emptyHeaders });
    },
  });
  // `all("*")` is not used: it decodes the path itself and refuses paths that cannot be decoded before the portal can show a page for the
  // error.
  app.use((request, response, next) => {
    const { requestId } = response.locals as Locals;
    if (request.method === "GET") response.on("close", beginPage(requestId));
    void answer(request, response, next);
  });
  app.use(lastResort);
  return app;
}

/** How long open requests and jobs may take when the process ends. */
const LONGEST_END_MS = 15_000;

/** Serves the portal in this process until the process is stopped. Returns the address to visit. */
async function serve(env: Env): Promise<string> {
  // Issuing that a crash interrupted is finished before any request is answered.
  await finishInterruptedIssuing().catch((error: unknown) => logError(error, { code: "issuing" }));
  const app = createApp(env);
  const { measureRequest, countOcsp } = beginMeasuring();
  const ocsp = ocspHandler(ocspResponder(), countOcsp, env.trustProxy ?? undefined);
  // Programs request the status of certificates some thousand times a second, so OCSP comes before everything that pages need
  // (docs/decisions/0013).
  const measure = measureRequests(measureRequest);
  const server = createServer(
    refusingMalformed((request, response) => {
      measure(request, response);
      drainAfterAnswer(request, response);
      answerWhileAlive(request, response, () => ocsp(request, response, () => void app(request, response)));
    }),
  );
  server.on("clientError", answerUnreadable);
  const end = graceful(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      reject(isTaken ? new ConfigError([`PORT: another program listens on ${env.port} already`]) : error);
    });
    server.listen(env.port, env.host, resolve);
  });
  const jobs = startJobs();
  keepPublished();
  keepAlive();
  keepStatusFiles();
  preparePoliciesAfterStart();
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : env.port;
  log().info({ host: env.host, port }, `Marque listens on ${env.publicUrl} (${env.host}:${port})`);
  void warnOfMissingList().catch((error: unknown) => logError(error));

  const stop = () => {
    log().info("stopping");
    setTimeout(() => process.exit(1), env.stopDelayMs + LONGEST_END_MS).unref();
    stopBeingReady();
    void Promise.all([end(env.stopDelayMs), jobs.stop()])
      .then(longWorkEnded)
      .then(securityEventsStored)
      .then(endOwnSigner)
      .then(closeDb)
      .then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  return env.publicUrl;
}

/** Logs a warning when there is no list of Debian's weak keys, because they are not recognised without one. */
async function warnOfMissingList(): Promise<void> {
  const notice = await missingListNotice();
  if (notice !== null) log().warn(notice);
}

/** Throws a ConfigError when the database was made before the first release. A database that cannot be reached yet is not checked. */
async function checkDatabase(): Promise<void> {
  const isFormer = await isFormerDatabase(getConnection()).catch((error: unknown) => {
    logError(error, { code: "start" });
    return false;
  });
  if (isFormer) throw new ConfigError([FORMER_DATABASE]);
}

/** Runs `count` workers and replaces those that end, until the primary process is stopped. */
function fork(count: number): void {
  let isStopping = false;
  answerWorkers();
  cluster.setupPrimary({ exec: fileURLToPath(import.meta.url) });
  for (let index = 0; index < count; index += 1) cluster.fork();
  cluster.on("exit", () => {
    if (!isStopping) setTimeout(() => isStopping || cluster.fork(), 1000);
    else if (Object.keys(cluster.workers ?? {}).length === 0) void endOwnSigner();
  });
  const stop = (signal: NodeJS.Signals) => {
    isStopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

/**
 * Starts the portal in this process, or in as many workers as WEB_CONCURRENCY says. A wrong configuration ends the process with one line
 * for each wrong value.
 *
 * @returns The address to visit, once the portal can be visited.
 */
export const start = (): Promise<string> =>
  serveOrFork().catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) process.stderr.write(`${problem}\n`);
    process.exit(1);
  });

async function serveOrFork(): Promise<string> {
  process.umask(0o077); // files under DATA_DIR are accessible only to this user
  const env = getEnv();
  requireWholeSingleSignOn(env, getConfig());
  requireRealUse(env, await keysForElsewhere(env));
  requireSecret(env.sessionSecrets, "SESSION_SECRETS");
  if (env.needsCaPassphrase) requireSecret(env.caPassphrase, "CA_PASSPHRASE");
  requireSecret(env.responderPassphrase, "RESPONDER_PASSPHRASE");
  requireSecret(env.auditKeys, "AUDIT_KEYS");
  if (!cluster.isPrimary) return serve(env);
  await checkDatabase();
  keepOwnSigner();
  if (env.webConcurrency === 1) return serve(env);
  await closeDb();
  fork(env.webConcurrency);
  return env.publicUrl;
}

// Runs for `node build/index.js` and in each worker. `npm start` calls `start` itself.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await start();
