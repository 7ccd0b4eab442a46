import { chmod, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { getEnv } from "~/lib/env.server";
import { logError } from "~/lib/log.server";
import { isUnavailable } from "~db/unavailable.server";
import { statusFeed } from "./feed.server";
import { describeStatus } from "./sections.server";
import { staticStatusPage } from "./static-page.server";
import { readStatus } from "./status.service.server";
import { MEASURED_EVERY_MS } from "./times";

/** The names of the files, which are those of their addresses. */
const STATUS_FILES = { page: "status.html", json: "status.json", feed: "status.atom" } as const;

/** Everybody may read the files: the web server runs as another user. */
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** Returns whether a process of this machine has written the files a moment ago. */
async function areFresh(folder: string): Promise<boolean> {
  const written = await stat(join(folder, STATUS_FILES.page)).catch(() => null);
  const age = written ? Date.now() - written.mtimeMs : Infinity;
  return age >= 0 && age < MEASURED_EVERY_MS / 2;
}

/** Writes the public status into a folder as a page, as JSON and as an Atom feed. Readers of a file see all of it or its last version. */
export async function writeStatusFiles(folder: string, now = new Date()): Promise<void> {
  const status = await readStatus(now);
  // The mask of the process is usually 077.
  if ((await mkdir(folder, { recursive: true })) !== undefined) await chmod(folder, FOLDER_MODE);
  const write = (name: string, text: string) =>
    writeFileAtomically(join(folder, name), text, { mode: FILE_MODE, isExact: true });
  await write(STATUS_FILES.json, `${JSON.stringify(status)}\n`);
  await write(STATUS_FILES.feed, statusFeed(status));
  await write(STATUS_FILES.page, staticStatusPage(describeStatus(status)));
}

/**
 * Writes the files of the public status every minute, until the process ends, when STATUS_DIR is set. While the database is unavailable the
 * last files stay.
 */
export function keepStatusFiles(): void {
  const { statusDir } = getEnv();
  if (statusDir === undefined) return;
  const write = async () => {
    try {
      if (!(await areFresh(statusDir))) await writeStatusFiles(statusDir);
    } catch (error) {
      if (!isUnavailable(error)) logError(error, { code: "status" });
    }
  };
  void write();
  setInterval(() => void write(), MEASURED_EVERY_MS).unref();
}
