import { statfsSync } from "node:fs";
import { availableParallelism } from "node:os";

const MEMORY_FOLDER = "/dev/shm";
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * Keeps the temporary files of the tests in memory where the machine has a folder for that and room, so that no commit waits for the
 * disk. Sets TMPDIR for this process and those that it starts.
 */
export function useMemoryForTemporaryFiles(): void {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    if (bavail * bsize >= NEEDED_BYTES) process.env.TMPDIR ??= MEMORY_FOLDER;
  } catch {
    // There is no such folder: the system's own is used.
  }
}

/** Workers that run tests: two for each core, because a test that waits for another process leaves its core idle. */
export const WORKERS = availableParallelism() * 2;
