import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // the process belongs to another user
  }
}

/** Removes the folders of runs that were stopped before they could remove them. */
function removeLeft(base: string, prefix: string): void {
  for (const name of readdirSync(base)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : 0;
    if (pid > 0 && pid !== process.pid && !isRunning(pid)) rmSync(join(base, name), { recursive: true, force: true });
  }
}

/**
 * Creates a folder for this process in `base`, and removes the folders of processes that have ended. Two concurrent runs do not share a
 * folder. It is removed when the process ends. Its name is the prefix with the id of the process. Returns its path.
 */
export function folderOfRun(base: string, prefix: string): string {
  mkdirSync(base, { recursive: true });
  removeLeft(base, prefix);
  const folder = join(base, `${prefix}${process.pid}`);
  mkdirSync(folder, { recursive: true, mode: 0o755 }); // the user of PostgreSQL's processes needs access
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
