import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { AUTHORITIES } from "~/domain/authorities/catalogue";
import { getSigner } from "~/domain/authorities/signers.server";
import { getEnv } from "~/lib/env.server";
import { logError } from "~/lib/log.server";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { findUsableResponder } from "~db/repositories/ocsp-responders.server";
import { writeProbe } from "~db/repositories/write-probe.server";
import { type AuthorityName } from "~db/tables";

/** Runs `work`. Returns `problem` when it fails, otherwise null. */
const attempt = async (problem: string, work: () => Promise<unknown>): Promise<string | null> => {
  try {
    await work();
    return null;
  } catch (error) {
    logError(error, { code: "OCA0H01L" }); // the code of a failed health check (API-07)
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

async function requireResponder(name: AuthorityName): Promise<void> {
  const { id } = await getAuthority(getDb(), name);
  if (!(await findUsableResponder(getDb(), id, new Date()))) throw new Error(`'${name}' has no OCSP responder.`);
}

async function findProblems(): Promise<string[]> {
  const issuing = AUTHORITIES.filter(({ isRoot }) => !isRoot);
  const problems = await Promise.all([
    attempt("nothing can be written to the database", () => writeProbe(getDb(), new Date())),
    attempt("nothing can be written to the data folder", probeDataFolder),
    ...issuing.flatMap(({ name }) => [
      attempt(`the key of ${name} cannot be used`, () => getSigner(name)),
      attempt(`OCSP answers tryLater for ${name}`, () => requireResponder(name)),
    ]),
  ]);
  return problems.filter((problem) => problem !== null);
}

/** How many milliseconds an answer is shared. Anybody may ask, and each check writes to the disk. */
const CACHE_MS = 500;

export const lastReadiness = memoize(() => ({ problems: Promise.resolve<string[]>([]), until: 0 }));

/**
 * Checks what would keep the portal from working: nothing can be stored, the key of an issuing CA cannot be used, or OCSP has no answers.
 *
 * @returns One line for each problem. An empty array means ready.
 */
export function checkReadiness(): Promise<string[]> {
  const now = performance.now();
  if (now >= lastReadiness().until) lastReadiness.replace({ problems: findProblems(), until: now + CACHE_MS });
  return lastReadiness().problems;
}
