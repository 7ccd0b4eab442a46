import { z } from "zod";

/** The first file of an archive. */
export const HEADER_FILE = "backup.json";
/** The last file of an archive. */
export const MANIFEST_FILE = "manifest.json";
/** Folders of an archive: the rows of the database, and the files of DATA_DIR. */
export const ROWS_FOLDER = "database/";
export const FILES_FOLDER = "files/";

export const SECRETS_FILE = "secrets.json";

const headerSchema = z.object({
  format: z.literal(2),
  madeAt: z.string().datetime(),
  database: z.enum(["sqlite", "postgres"]),
  /** The migrations that the database had run. */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});

/** Says what must be known before the rows can be read. */
export type Header = z.infer<typeof headerSchema>;

const manifestSchema = z.object({
  /** The number of rows of each table. */
  rows: z.record(z.number().int().nonnegative()),
  /** The next id of each table whose ids the database counts. */
  nextIds: z.record(z.number().int()),
  /** The SHA-256 of each other file of the archive in hex, by its name. */
  hashes: z.record(z.string().regex(/^[0-9a-f]{64}$/)),
});

/** Says what the archive contains. It is written last, so that an archive without it is not complete. */
export type Manifest = z.infer<typeof manifestSchema>;

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new Error(
      "The backup has a format that this version does not know. Restore it with the version that made it.",
    );
  }
}

export const parseHeader = (text: string): Header => parsed(headerSchema, text);
export const parseManifest = (text: string): Manifest => parsed(manifestSchema, text);

/** Returns the size of a backup in words. */
export function sizeOf({ rows, hashes }: Pick<Manifest, "rows" | "hashes">): string {
  const count = Object.values(rows).reduce((sum, one) => sum + one, 0);
  const files = Object.keys(hashes).filter((name) => name.startsWith(FILES_FOLDER));
  return `${count} rows and ${files.length} files`;
}
