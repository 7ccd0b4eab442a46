import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { explainFileError } from "~/lib/file-problem.server";

export const DATABASE_FILE = "marque.sqlite";
export const MANIFEST_FILE = "manifest.json";

const manifestSchema = z.object({
  format: z.literal(1),
  madeAt: z.string().datetime(),
  /** The name of the database's latest migration. */
  migration: z.string(),
  /** The number of rows of each table. */
  tables: z.record(z.number().int().nonnegative()),
  /** The SHA-256 of each file in hex, by its path with `/`. */
  files: z.record(z.string().regex(/^[0-9a-f]{64}$/)),
});

/** The description of a backup. It is written last, so that a folder without it is not a backup. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Returns the size of a backup in words. */
export function sizeOf({ tables, files }: Pick<Manifest, "tables" | "files">): string {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  return `${rows} rows and ${Object.keys(files).length} files`;
}

/** Returns the SHA-256 of a file in hex. The file may have any size. */
export async function hashOfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** Makes sure that a file, or the file names in a folder, are written to the disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads the manifest of a backup. Throws an Error when the folder is not a backup, or has a format that this version does not know. */
export async function readManifest(directory: string): Promise<Manifest> {
  const file = join(directory, MANIFEST_FILE);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw explainFileError(error, file);
  });
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(`${file} is not the manifest of a backup that this version knows.`);
  }
}
