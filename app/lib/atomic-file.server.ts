import { randomBytes } from "node:crypto";
import { link, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface AtomicWriteOptions {
  /** Permissions of the new file; the owner's alone unless said otherwise. */
  mode?: number;
  /** Refuse (EEXIST) instead of replacing a file that is there. */
  exclusive?: boolean;
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes a file so that readers and a crash see all of it or nothing of it, and so that it is on the disk on return.
 * The directory is made (0700) when it is missing.
 */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600, exclusive = false }: AtomicWriteOptions = {},
): Promise<void> {
  const directory = dirname(file);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const temporary = join(directory, `.${basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await (exclusive ? link(temporary, file) : rename(temporary, file));
  } finally {
    await rm(temporary, { force: true });
  }
  await syncDirectory(directory);
}
