import { cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { getEnv } from "~/lib/env.server";
import { getConnection } from "~db/connection.server";
import { readSnapshot, writeSnapshot } from "~db/snapshot.server";
import { inTransaction } from "~db/transaction.server";
import { DATABASE_FILE, hashOfFile, type Manifest, MANIFEST_FILE, sizeOf, syncToDisk } from "./manifest.server";

/**
 * Returns whether an entry of DATA_DIR is not copied as a file: the database, which is copied separately, delivered messages, and
 * unfinished files.
 */
const isLeftOut = (name: string) => name.startsWith(DATABASE_FILE) || name === "outbox" || name.startsWith(".");

/** Returns the paths of all files below a folder, in order. */
async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** These files prove the state of the database. They are copied before it, so that they prove nothing that is not in the copy. */
const BEFORE = ["audit"];

/**
 * Copies keys, secrets and other files. Most of them are copied after the database, so that the copy has every key to which a row refers.
 */
async function copyFiles(dataDir: string, directory: string, when: "before" | "after"): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (isLeftOut(name) || BEFORE.includes(name) !== (when === "before")) continue;
    const filter = (source: string) => !source.endsWith(".tmp");
    await cp(join(dataDir, name), join(directory, name), { recursive: true, preserveTimestamps: true, filter });
  }
}

async function describeCopy(directory: string, now: Date): Promise<Manifest> {
  const { migrations, tables } = readSnapshot(join(directory, DATABASE_FILE));
  const files: Manifest["files"] = {};
  for (const file of await filesBelow(directory)) {
    await syncToDisk(file);
    files[file.slice(directory.length + 1).replaceAll(sep, "/")] = await hashOfFile(file);
  }
  return { format: 1, madeAt: now.toISOString(), migration: migrations.at(-1) ?? "", tables, files };
}

/** Records the backup in the audit trail. The entry says who has a copy of the keys, but not where it is stored. */
const audited = (actor: Actor, target: string, manifest: Manifest, now: Date) =>
  inTransaction((trx) => {
    const message = `Backup '${basename(target)}' taken: ${sizeOf(manifest)}.`;
    return recordAudit(trx, { actor, event: "portal.backed-up", message }, now);
  });

/**
 * Copies the database, the CA keys and everything else in DATA_DIR into a new folder, while the portal runs. The copy is moved to its final
 * path when it is complete, and is removed again unless the audit entry is recorded. Throws an Error when the folder exists, when it is in
 * DATA_DIR, or when the database is PostgreSQL.
 */
export async function makeBackup(directory: string, actor: Actor, now = new Date()): Promise<Manifest> {
  const { dataDir, databaseUrl } = getEnv();
  if (databaseUrl) throw new Error("DATABASE_URL names a PostgreSQL: back it up with pg_dump (docs/operations.md).");
  const target = resolve(directory);
  if (`${target}${sep}`.startsWith(`${resolve(dataDir)}${sep}`))
    throw new Error("The backup must not lie in DATA_DIR: what is lost with the one would be lost with the other.");
  await mkdir(dirname(target), { recursive: true });
  await mkdir(target, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? new Error(`${target} exists already. Name a new folder.`) : error;
  });
  const partial = join(dirname(target), `.${target.slice(dirname(target).length + 1)}.part`);
  try {
    await mkdir(partial, { mode: 0o700 });
    await copyFiles(dataDir, partial, "before");
    writeSnapshot(getConnection(), join(partial, DATABASE_FILE));
    await copyFiles(dataDir, partial, "after");
    const manifest = await describeCopy(partial, now);
    await writeFileAtomically(join(partial, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
    await rename(partial, target);
    await syncToDisk(dirname(target));
    await audited(actor, target, manifest, now);
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    await rm(target, { recursive: true, force: true });
    throw error;
  }
}
