import { cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseEnv } from "~/lib/env.server";
import { closeDb, getConnection } from "~db/connection.server";
import { FORMER_DATABASE, isFormer, migrateToLatest } from "~db/migrate.server";
import { readSnapshot } from "~db/snapshot.server";
import { migrations } from "~migrations/index";
import { passOverCrlNumbers } from "./crl-numbers.service.server";
import {
  DATABASE_FILE,
  hashOfFile,
  type Manifest,
  MANIFEST_FILE,
  readManifest,
  sizeOf,
  syncToDisk,
} from "./manifest.server";

/**
 * Throws an Error when a file is missing or changed, or when the database differs from the manifest or has a version that cannot be
 * restored.
 */
async function checkBackup(directory: string, manifest: Manifest): Promise<void> {
  for (const [name, hash] of Object.entries(manifest.files)) {
    const actual = await hashOfFile(join(directory, name)).catch(() => null);
    if (actual === null) throw new Error(`The backup is incomplete: ${name} is missing.`);
    if (actual !== hash) throw new Error(`The backup is damaged: ${name} differs from what was copied.`);
  }
  const { migrations: executed, tables } = readSnapshot(join(directory, DATABASE_FILE));
  if (isFormer(executed)) throw new Error(FORMER_DATABASE);
  if (!(manifest.migration in migrations("sqlite")))
    throw new Error(`The backup was made by a later version (${manifest.migration}). Restore it with that version.`);
  if (executed.at(-1) !== manifest.migration || !isDeepStrictEqual(tables, manifest.tables))
    throw new Error(`The backup is damaged: ${DATABASE_FILE} does not hold what ${MANIFEST_FILE} says.`);
}

async function requireEmpty(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (names.length > 0)
    throw new Error(`${dataDir} is not empty. A backup is restored into an empty DATA_DIR: set another one.`);
}

/** Copies the files into a staging folder and then moves them to their final paths, the database last. */
async function copyBack(directory: string, dataDir: string, { files }: Manifest): Promise<void> {
  const staging = join(dataDir, ".restore");
  await mkdir(staging, { recursive: true, mode: 0o700 });
  for (const name of Object.keys(files)) {
    await cp(join(directory, name), join(staging, name), { preserveTimestamps: true });
    await syncToDisk(join(staging, name));
  }
  const names = (await readdir(staging)).sort(
    (one, other) => Number(one === DATABASE_FILE) - Number(other === DATABASE_FILE),
  );
  for (const name of names) await rename(join(staging, name), join(dataDir, name));
  await rm(staging, { recursive: true });
  await syncToDisk(dataDir);
}

/**
 * Restores a backup into an empty DATA_DIR and migrates the database to this version. CRLs continue with higher numbers than any that was
 * published after the backup. Must be called before anything reads the environment. Throws an Error, and leaves DATA_DIR empty, when the
 * backup is damaged or any step fails, because a restored database must not be served before its CRL numbers are skipped.
 */
export async function restoreBackup(folder: string, now = new Date()): Promise<Manifest> {
  // getEnv() must not be called yet: it caches the environment, and the secrets are not restored before the copy.
  const { dataDir, databaseUrl } = parseEnv(process.env);
  if (databaseUrl) throw new Error("DATABASE_URL names a PostgreSQL: restore it with pg_restore (docs/operations.md).");
  const directory = resolve(folder);
  const manifest = await readManifest(directory);
  await checkBackup(directory, manifest);
  await requireEmpty(dataDir);
  try {
    await copyBack(directory, dataDir, manifest);
    await migrateToLatest(getConnection());
    const what = `Backup '${basename(directory)}' of ${manifest.madeAt} restored: ${sizeOf(manifest)}.`;
    await passOverCrlNumbers(what, now);
    await closeDb();
  } catch (error) {
    await closeDb();
    for (const name of await readdir(dataDir).catch(() => [])) await rm(join(dataDir, name), { recursive: true });
    throw error;
  }
  return manifest;
}
