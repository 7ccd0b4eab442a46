import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface AtomicWriteOptions {
  /** Permissions of the new file. By default only the owner has access. */
  mode?: number;
  /** Gives the file all permissions of `mode`, whatever the mask of the process is. */
  isExact?: boolean;
  /** Fails with EEXIST instead of replacing an existing file. */
  exclusive?: boolean;
}

/** Makes sure that the names in a folder are written to the disk. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns the contents of a file, or null when it is missing. */
export const readIfThere = (file: string): Promise<Buffer | null> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });

/**
 * Writes a file so that readers see all of it or nothing, even after a crash, and so that it is on the disk when the function returns.
 * Creates the directory (0700) when it is missing.
 */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600, isExact = false, exclusive = false }: AtomicWriteOptions = {},
): Promise<void> {
  const directory = dirname(file);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const temporary = join(directory, `.${basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      if (isExact) await handle.chmod(mode);
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
