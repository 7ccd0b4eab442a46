import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { DATABASE_FILE } from "~/lib/data-files.server";
import { getEnv } from "~/lib/env.server";
import { getConnection } from "~db/connection.server";
import { type DatabaseReading, readDatabase } from "~db/copy-out.server";
import { inTransaction } from "~db/transaction.server";
import { type ArchiveWriter, writeArchive } from "./archive.server";
import { type ArchiveLock, lockInWords } from "./locks.server";
import {
  FILES_FOLDER,
  type Header,
  HEADER_FILE,
  type Manifest,
  MANIFEST_FILE,
  ROWS_FOLDER,
  SECRETS_FILE,
  sizeOf,
} from "./manifest.server";

/**
 * Returns whether an entry of DATA_DIR is not in a backup as a file: the database, whose rows are copied, secrets, which must not be with the
 * keys that they open, delivered messages, and unfinished files.
 */
const isLeftOut = (name: string) =>
  name.startsWith(DATABASE_FILE) || name === SECRETS_FILE || name === "outbox" || name.startsWith(".");

/** Returns the files of DATA_DIR that are in a backup, with their names in the archive, in order. */
async function listFiles(dataDir: string): Promise<{ name: string; path: string }[]> {
  const entries = await readdir(dataDir, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".tmp"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, name: path.slice(dataDir.length + 1).replaceAll(sep, "/") }))
    .filter(({ name }) => !isLeftOut(name.split("/")[0] ?? ""))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Copies a file as long as it is now. Lines that are added to it meanwhile are left out. */
async function addFile(archive: ArchiveWriter, name: string, path: string): Promise<void> {
  const { size } = await stat(path);
  if (size === 0) return archive.add(FILES_FOLDER + name, new Uint8Array());
  await archive.addPieces(FILES_FOLDER + name, size, createReadStream(path, { end: size - 1 }));
}

/** Copies the rows of all tables. Returns the number of rows of each table. */
async function addRows(archive: ArchiveWriter, { tables, rowsOf }: DatabaseReading): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    let [count, part] = [0, 0];
    for await (const { text, rows } of rowsOf(table)) {
      part += 1;
      await archive.add(`${ROWS_FOLDER}${table.name}/${String(part).padStart(6, "0")}.jsonl`, Buffer.from(text));
      count += rows;
    }
    counts[table.name] = count;
  }
  return counts;
}

const jsonOf = (value: Header | Manifest) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/**
 * Adds everything to the archive. Returns its last file. Checkpoints of the audit trail are read before the database, so that they prove
 * nothing that is not in the copy. All other files are read after it, so that there is every key to which a row refers.
 */
async function fill(archive: ArchiveWriter, dataDir: string, now: Date): Promise<Manifest> {
  const connection = getConnection();
  const isCheckpoint = ({ name }: { name: string }) => name.startsWith("audit/");
  const checkpoints = (await listFiles(dataDir)).filter(isCheckpoint);
  const early = await Promise.all(checkpoints.map(async ({ name, path }) => ({ name, content: await readFile(path) })));
  const { rows, nextIds } = await readDatabase(connection, async (reading) => {
    const { migrations, tables } = reading;
    const header: Header = { format: 2, madeAt: now.toISOString(), database: connection.dialect, migrations, tables };
    await archive.add(HEADER_FILE, jsonOf(header));
    for (const { name, content } of early) await archive.add(FILES_FOLDER + name, content);
    return { rows: await addRows(archive, reading), nextIds: await reading.nextIds() };
  });
  for (const one of await listFiles(dataDir)) if (!isCheckpoint(one)) await addFile(archive, one.name, one.path);
  const manifest: Manifest = { rows, nextIds, hashes: { ...archive.hashes } };
  await archive.add(MANIFEST_FILE, jsonOf(manifest));
  return manifest;
}

/** Records the backup in the audit trail. The entry says who can read the copy, but not where it is stored. */
const audited = (actor: Actor, target: string, what: string, now: Date) =>
  inTransaction((trx) => {
    const message = `Backup '${basename(target)}' taken: ${what}.`;
    return recordAudit(trx, { actor, event: "portal.backed-up", message }, now);
  });

/**
 * Writes the database, the CA keys and everything else in DATA_DIR except secrets into one encrypted file, while the portal runs. The file
 * gets its name when it is complete, and is removed again unless the audit entry is recorded. Throws an Error when the file exists or when
 * it is in DATA_DIR.
 */
export async function makeBackup(file: string, lock: ArchiveLock, actor: Actor, now = new Date()): Promise<Manifest> {
  const dataDir = resolve(getEnv().dataDir);
  const target = resolve(file);
  if (target.startsWith(`${dataDir}${sep}`))
    throw new Error("The backup must not lie in DATA_DIR: what is lost with the one would be lost with the other.");
  await mkdir(dirname(target), { recursive: true });
  let manifest: Manifest | undefined;
  await writeArchive(target, lock, async (archive) => {
    manifest = await fill(archive, dataDir, now);
  });
  if (!manifest) throw new TypeError("The archive was not filled.");
  try {
    await audited(actor, target, `${sizeOf(manifest)}, ${lockInWords(lock)}`, now);
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
  return manifest;
}
