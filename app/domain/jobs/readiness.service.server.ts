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

/** Tries `work`, and says `problem` when it fails. */
const attempt = async (problem: string, work: () => Promise<unknown>): Promise<string | null> => {
  try {
    await work();
    return null;
  } catch (error) {
    logError(error, { code: "OCA0H01L" }); // API-07: health check error
    return problem;
  }
};

/** More than a page of the database, which may lie in room that the file already has. */
const PROBE_BYTES = 64 * 1024;

/** Writes a file into the data folder and removes it. Throws when there is no room for it. */
async function probeDataFolder(): Promise<void> {
  const path = join(getEnv().dataDir, `.readyz-${process.pid}`);
  try {
    const file = await open(path, "w");
    try {
      await file.writeFile(Buffer.alloc(PROBE_BYTES));
      await file.sync(); // some file systems look for room only now
    } finally {
      await file.close();
    }
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

async function demandResponder(name: AuthorityName): Promise<void> {
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
      attempt(`OCSP answers tryLater for ${name}`, () => demandResponder(name)),
    ]),
  ]);
  return problems.filter((problem) => problem !== null);
}

/** Everybody may ask, and a question writes to the disk: those that come within this time share one answer. */
const KEPT_MS = 500;

export const lastReadiness = memoize(() => ({ problems: Promise.resolve<string[]>([]), until: 0 }));

/**
 * What keeps the portal from working: nothing can be stored, the key of an issuing CA cannot be used, or OCSP has no answers.
 *
 * @returns One line for each; none = ready.
 */
export function checkReadiness(): Promise<string[]> {
  const now = performance.now();
  if (now >= lastReadiness().until) lastReadiness.replace({ problems: findProblems(), until: now + KEPT_MS });
  return lastReadiness().problems;
}
