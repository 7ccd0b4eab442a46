import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { getSigner, proveKey } from "~/domain/authorities/signers.server";
import { getEnv } from "~/lib/env.server";
import { log, logError } from "~/lib/log.server";
import { memoize } from "~/lib/memoize.server";
import { getConnection, getDb } from "~db/connection.server";
import { isMigrated } from "~db/migrate.server";
import { findUsableResponder } from "~db/repositories/ocsp-responders.server";
import { writeProbe } from "~db/repositories/write-probe.server";

/** The code of a failed health check (API-07). */
const FAILED_CHECK = "OCA0H01L";

/** Runs `work`. Returns `problem` when it fails, otherwise null. */
const attempt = async (problem: string, work: () => Promise<unknown>): Promise<string | null> => {
  try {
    await work();
    return null;
  } catch (error) {
    logError(error, { code: FAILED_CHECK });
    return problem;
  }
};

/**
 * The size in bytes of the test file. It is larger than a page of the database, which might fit into space that the database file already
 * has.
 */
const PROBE_BYTES = 64 * 1024;

/** Writes a file into the data folder and removes it. Throws when there is not enough space. */
async function probeDataFolder(): Promise<void> {
  const path = join(getEnv().dataDir, `.readyz-${process.pid}`);
  try {
    const file = await open(path, "w");
    try {
      await file.writeFile(Buffer.alloc(PROBE_BYTES));
      await file.sync(); // some file systems allocate space only now
    } finally {
      await file.close();
    }
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Returns the problem that a CA has no OCSP responder, or null. It is none of the program's: a new portal makes the first ones at its start. */
async function missingResponder({ id, name }: Authority): Promise<string | null> {
  if (await findUsableResponder(getDb(), id, new Date())) return null;
  const problem = `OCSP answers tryLater for ${name}`;
  log().warn({ code: FAILED_CHECK }, problem);
  return problem;
}

/** Whether the database was seen to have every migration of this version. It cannot lose them again. */
const hasMigrations = memoize(() => false);

/**
 * Throws when the database lacks a migration of this version. Does not throw when the database does not answer, because `writeProbe` says
 * that.
 */
async function requireMigrations(): Promise<void> {
  if (hasMigrations()) return;
  const isCurrent = await isMigrated(getConnection()).catch(() => null);
  if (isCurrent === false)
    throw new Error("The database has not been updated to this version. Run 'setup' of this version.");
  hasMigrations.replace(isCurrent === true);
}

const NO_CA = "There is no issuing CA yet: run 'npm run portal -- setup' or 'ca install'.";

/** Returns the issuing CAs that have not ended, or null when the database does not answer, which `writeProbe` reports. */
async function listIssuing(): Promise<Authority[] | null> {
  const authorities = await listAuthorities(getDb()).catch(() => null);
  return authorities?.filter(({ isRoot, notAfter }) => !isRoot && Date.parse(notAfter) > Date.now()) ?? null;
}

async function findProblems(): Promise<string[]> {
  const issuing = await listIssuing();
  const problems = await Promise.all([
    attempt("nothing can be written to the database", () => writeProbe(getDb(), new Date())),
    attempt("nothing can be written to the data folder", probeDataFolder),
    attempt("the database has not been updated to this version", requireMigrations),
    ...(issuing?.length === 0 ? [attempt("there is no issuing CA", () => Promise.reject(new Error(NO_CA)))] : []),
    ...(issuing ?? []).flatMap((authority) => [
      getEnv().signerWay
        ? attempt(`the signer does not sign for ${authority.name}`, () => proveKey(authority.name)) // it can end at any time
        : attempt(`the key of ${authority.name} cannot be used`, () => getSigner(authority.name)),
      missingResponder(authority),
    ]),
  ]);
  return problems.filter((problem) => problem !== null);
}

/** How many milliseconds an answer is shared. Anybody may ask, and each check writes to the disk. */
const CACHE_MS = 500;

export const lastReadiness = memoize(() => ({ problems: Promise.resolve<string[]>([]), until: 0 }));

/** Whether this process has been asked to stop. Load balancers then send their requests to others. */
const isStopping = memoize(() => false);

/** Lets `checkReadiness` say from now on that this process stops. */
export const stopBeingReady = (): void => isStopping.replace(true);

/**
 * Checks what would keep the portal from working: nothing can be stored, the database is that of an earlier version, the key of an
 * issuing CA cannot be used, OCSP has no answers, or the process stops.
 *
 * @returns One line for each problem. An empty array means ready.
 */
export function checkReadiness(): Promise<string[]> {
  if (isStopping()) return Promise.resolve(["this process is stopping"]);
  const now = performance.now();
  if (now >= lastReadiness().until) lastReadiness.replace({ problems: findProblems(), until: now + CACHE_MS });
  return lastReadiness().problems;
}
