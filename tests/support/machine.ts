import { statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { folderOfRun } from "./folder-of-run";

const MEMORY_FOLDER = "/dev/shm";
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * Returns a folder in memory, so that no commit waits for the disk. Returns the system's temporary folder when there is none or it has too
 * little space.
 */
function fastestFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= NEEDED_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Creates a folder for all temporary files of the run, as TMPDIR of this process and its child processes. It is removed at the end of the
 * run or, when the run is killed, by the next run.
 */
export function useTemporaryFolder(): void {
  process.env.TEST_TMPDIR ??= folderOfRun(process.env.TMPDIR ?? fastestFolder(), "marque-run-");
  process.env.TMPDIR = process.env.TEST_TMPDIR;
}

/** The number of workers that run tests: two for each core, because a test that waits for another process leaves its core idle. */
export const WORKERS = availableParallelism() * 2;
