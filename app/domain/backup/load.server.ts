import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual } from "node:util";
import { getConnection, type Trx } from "~db/connection.server";
import { countRows, type DatabaseWriting, writeDatabase } from "~db/copy-in.server";
import { finishMigrations, FORMER_DATABASE, isFormer } from "~db/migrate.server";
import { migrations } from "~migrations/index";
import { type ArchiveEntry, readArchive } from "./archive.server";
import { type ArchiveOpening } from "./locks.server";
import {
  FILES_FOLDER,
  type Header,
  HEADER_FILE,
  type Manifest,
  MANIFEST_FILE,
  parseHeader,
  parseManifest,
  ROWS_FOLDER,
} from "./manifest.server";

/** Throws an Error when this version cannot restore a database that has run these migrations. */
function requireKnown(executed: readonly string[]): void {
  if (isFormer(executed)) throw new Error(FORMER_DATABASE);
  const known = migrations("sqlite");
  const later = executed.find((name) => !(name in known));
  if (later) throw new Error(`The backup was made by a later version (${later}). Restore it with that version.`);
}

/** Passes the pieces of a file on and adds its SHA-256 to `hashes` at its end. */
async function* hashed({ name, content }: ArchiveEntry, hashes: Record<string, string>): AsyncIterable<Uint8Array> {
  const hash = createHash("sha256");
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
  hashes[name] = hash.digest("hex");
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read).toString("utf8");
}

/** Writes a file of DATA_DIR below `directory`. */
async function storeFile(name: string, content: AsyncIterable<Uint8Array>, directory: string): Promise<void> {
  const parts = name.slice(FILES_FOLDER.length).split("/");
  if (parts.some((part) => part === "" || part.startsWith("..")))
    throw new Error(`The backup contains a file with the name '${name}', which no portal writes.`);
  const path = join(directory, ...parts);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600, flush: true }));
}

/** Compares what was read with what was written. */
function requireSame(manifest: Manifest, hashes: Record<string, string>, rows: Record<string, number>): void {
  const differs = Object.keys({ ...manifest.hashes, ...hashes }).find((name) => manifest.hashes[name] !== hashes[name]);
  if (differs) throw new Error(`The backup does not contain what it says: ${differs} differs or is missing.`);
  if (isDeepStrictEqual(manifest.rows, rows)) return;
  const table = Object.keys(manifest.rows).find((name) => manifest.rows[name] !== rows[name]);
  throw new Error(`The database does not have the rows of the backup: the table '${table}' differs.`);
}

export interface Loaded {
  header: Header;
  manifest: Manifest;
}

/**
 * Reads an archive into the empty database of the connection, in an open transaction, and its files into a folder. Compares everything with
 * the manifest and migrates the database to this version. May be repeated in a new transaction. Throws an Error when the archive is damaged
 * or of a later version.
 */
export async function loadArchive(trx: Trx, file: string, opening: ArchiveOpening, directory: string): Promise<Loaded> {
  const connection = getConnection();
  const hashes: Record<string, string> = {};
  let header: Header | undefined;
  let writing: DatabaseWriting | undefined;
  let manifest: Manifest | undefined;
  for await (const entry of readArchive(file, opening)) {
    const { name } = entry;
    if (name === MANIFEST_FILE) {
      manifest = parseManifest(await textOf(entry.content));
      continue;
    }
    const content = hashed(entry, hashes);
    if (name === HEADER_FILE) {
      header = parseHeader(await textOf(content));
      requireKnown(header.migrations);
      writing = await writeDatabase(trx, connection, header.migrations);
    } else if (name.startsWith(FILES_FOLDER)) await storeFile(name, content, directory);
    else {
      const table = header?.tables.find((one) => name.startsWith(`${ROWS_FOLDER}${one.name}/`));
      if (!table) throw new Error(`The backup contains '${name}', which this version does not know.`);
      await writing?.add(table, await textOf(content));
    }
  }
  if (!header || !writing || !manifest) throw new Error(`${file} is not a backup of this portal.`);
  await writing.finish(manifest.nextIds);
  requireSame(manifest, hashes, await countRows(trx, header.tables));
  await finishMigrations(trx, connection.dialect, header.migrations);
  return { header, manifest };
}
