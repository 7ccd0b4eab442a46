import { statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { folderOfRun } from "./folder-of-run";

const MEMORY_FOLDER = "/dev/shm";
const NEEDED_BYTES = 4 * 2 ** 30;

/** The machine's folder in memory, so that no commit waits for the disk; the system's own where there is none, or no room in it. */
function fastestFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= NEEDED_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Gives the run a folder for all its temporary files: TMPDIR of this process and of those that it starts. It is removed at the end of the run,
 * or by the next run where this one is stopped.
 */
export function useTemporaryFolder(): void {
  process.env.TEST_TMPDIR ??= folderOfRun(process.env.TMPDIR ?? fastestFolder(), "marque-run-");
  process.env.TMPDIR = process.env.TEST_TMPDIR;
}

/** Workers that run tests: two for each core, because a test that waits for another process leaves its core idle. */
export const WORKERS = availableParallelism() * 2;
