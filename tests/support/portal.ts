import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { kdfRounds } from "~/ca/keys.server";
import { patienceMs } from "~/domain/jobs/long-work.service.server";
import { securityEventsStored } from "~/domain/security-events/background.server";
import { clearMemoized } from "~/lib/memoize.server";
import { closeDb } from "~db/connection.server";
import { onServer } from "./postgres-client";
import { TEST_SECRETS, writeConfig } from "./template";
import { TEST_ORIGIN } from "./variables";

const isPostgres = () => process.env.TEST_DATABASE === "postgres";

/** Returns the environment of a portal with its own data folder and, for PostgreSQL, its own database. Child processes use it too. */
const environment = (dataDir: string, database: string) => ({
  NODE_ENV: "test",
  DATA_DIR: dataDir,
  DATABASE_URL: isPostgres() ? `${inject("postgresUrl")}/${database}` : "",
  PUBLIC_URL: TEST_ORIGIN,
  ...TEST_SECRETS,
  LOG_LEVEL: "silent",
  RATE_LIMITS: "off",
});

/**
 * Gives the test file its own portal: a data folder with a trial CA and a new, migrated database of the project's dialect. `env` overrides
 * variables, e.g. `{ RATE_LIMITS: "on" }`. `fourEyes` is for
 * tests of the strict four-eyes principle. Returns `dataDir` and the variables for child processes.
 */
export function usePortal(env: Record<string, string> = {}, fourEyes?: "strict") {
  const portal = { dataDir: "", env: {} as Record<string, string> };
  const database = `t_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;

  beforeAll(async () => {
    portal.dataDir = mkdtempSync(join(tmpdir(), "marque-test-"));
    cpSync(inject("templateDir"), portal.dataDir, { recursive: true });
    if (isPostgres()) await onServer(`create database ${database} template template`);
    portal.env = {
      ...environment(portal.dataDir, database),
      PORTAL_CONFIG: writeConfig(portal.dataDir, fourEyes),
      ...env,
    };
    Object.assign(process.env, portal.env);
    await closeDb();
    clearMemoized();
    kdfRounds.replace(2048);
    patienceMs.replace(600_000); // on a slow machine everything is long work
  });

  afterAll(async () => {
    await securityEventsStored();
    await closeDb();
    if (isPostgres()) await onServer(`drop database if exists ${database} with (force)`);
    rmSync(portal.dataDir, { recursive: true, force: true });
  });

  return portal;
}
