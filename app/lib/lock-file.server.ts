import { readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { writeFileAtomically } from "./atomic-file.server";

interface Owner {
  pid: number;
  host: string;
  /** ISO 8601. */
  since: string;
}

async function readOwner(file: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Owner;
  } catch {
    return null;
  }
}

/** Returns whether the process of a lock has ended. Of another machine that is not known. */
function hasEnded({ pid, host }: Owner): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0); // sends nothing, only looks
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/**
 * Runs `work` while no other process does so with the same lock file, which it makes before and removes afterwards. The file of a process
 * that was killed is replaced.
 *
 * @param what What another process must not do at the same time, as the subject of a sentence: "Another ceremony".
 * @throws Error with a sentence that names the process, since when it runs, and the file.
 */
export async function withLockFile<T>(file: string, what: string, work: () => Promise<T>): Promise<T> {
  const own: Owner = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  const before = await readOwner(file);
  if (before && hasEnded(before)) await rm(file, { force: true });
  try {
    await writeFileAtomically(file, JSON.stringify(own), { exclusive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const { pid, host, since } = (await readOwner(file)) ?? { pid: "unknown", host: "unknown", since: "unknown" };
    throw new Error(
      `${what} runs (process ${pid} on ${host}, since ${since}). Wait for its end. If there is no such process, remove ${file}.`,
    );
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}
