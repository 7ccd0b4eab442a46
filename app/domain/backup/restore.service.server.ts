import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { type Actor } from "~/domain/audit/audit.service.server";
import { syncDirectory, writeFileAtomically } from "~/lib/atomic-file.server";
import { DATABASE_FILE } from "~/lib/data-files.server";
import { type Env, getEnv, parseEnv, readSecretsFile } from "~/lib/env.server";
import { closeDb, getConnection } from "~db/connection.server";
import { flawOfSqlite, listTables } from "~db/copy-in.server";
import { inTransaction } from "~db/transaction.server";
import { type Loaded, loadArchive } from "./load.server";
import { type ArchiveOpening } from "./locks.server";
import { SECRETS_FILE, sizeOf } from "./manifest.server";
import { proveKeys, proveTrail, requireSecrets } from "./proofs.server";
import { removeOnSignal } from "./remove-on-signal.server";
import { settleRestored } from "./restored.service.server";

export interface Source {
  file: string;
  opening: ArchiveOpening;
  /** A copy of the portal's secrets.json, for secrets that are not set as variables. */
  secretsFile?: string;
}

/** Returns the environment with the secrets of a file for those that are not set. */
function environmentWith({ secretsFile }: Source): Env {
  // getEnv() must not be called yet: it would keep an environment without these secrets.
  const env = parseEnv(process.env);
  if (!secretsFile) return env;
  const secrets = readSecretsFile(secretsFile);
  if (!secrets) throw new Error(`${secretsFile} is not the secrets.json of a portal.`);
  return {
    ...env,
    rootPassphrase: env.rootPassphrase ?? secrets.rootPassphrase ?? secrets.caPassphrase,
    caPassphrase: env.caPassphrase ?? secrets.caPassphrase,
    responderPassphrase: env.responderPassphrase ?? secrets.responderPassphrase,
    auditKeys: env.auditKeys ?? secrets.auditKeys,
  };
}

async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (!found) throw new Error(`There is no file '${file}'.`);
  if (found.isDirectory())
    throw new Error(
      `${file} is a folder, as 'backup' wrote until version 0.1: restore it with that version, then update the portal.`,
    );
}

async function requireEmptyFolder(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (names.length > 0)
    throw new Error(`${dataDir} is not empty. A backup is restored into an empty DATA_DIR: set another one.`);
}

async function requireEmptyDatabase(): Promise<void> {
  const tables = await listTables(getConnection());
  if (tables.length > 0)
    throw new Error(
      "The database of DATABASE_URL is not empty. A backup is restored into an empty database: create one with createdb.",
    );
}

export interface ProvedBackup extends Loaded {
  /** Sentences about the CA keys, and about the audit trail. */
  keys: string[];
  trail: string;
  /** What is wrong although nothing of the archive is damaged. */
  problems: string[];
}

/**
 * Restores an archive into a temporary folder with a SQLite database, whichever database it comes from, proves everything that can be
 * proved, and removes the folder. Throws an Error when the archive cannot be restored.
 */
export async function checkBackup(source: Source): Promise<ProvedBackup> {
  const env = environmentWith(source);
  await requireFile(source.file);
  const directory = join(tmpdir(), `marque-check-${randomBytes(8).toString("hex")}`);
  const keep = removeOnSignal(directory); // before it exists, so that it never stays
  await mkdir(directory, { mode: 0o700 });
  getEnv.replace({ ...env, dataDir: directory, databaseUrl: undefined });
  try {
    requireSecrets();
    const found = await inTransaction(async (trx) => {
      const loaded = await loadArchive(trx, source.file, source.opening, directory);
      return { ...loaded, keys: await proveKeys(trx) };
    });
    const flaw = flawOfSqlite(getConnection());
    if (flaw) throw new Error(`The restored database is damaged: ${flaw}`);
    const { state, problems } = await proveTrail();
    return { ...found, trail: state, problems };
  } finally {
    await closeDb();
    await rm(directory, { recursive: true, force: true });
    keep();
  }
}

/** Writes the secrets of a trial portal beside its data again, with new secrets for sessions. */
async function storeSecrets(env: Env, directory: string): Promise<void> {
  const { rootPassphrase, caPassphrase, responderPassphrase, auditKeys } = env;
  if (env.hasSetSecrets && env.hasSetResponder) return;
  const sessionSecrets = [randomBytes(32).toString("base64url")];
  const secrets = { sessionSecrets, rootPassphrase, caPassphrase, responderPassphrase, auditKeys };
  await writeFileAtomically(join(directory, SECRETS_FILE), `${JSON.stringify(secrets, null, 2)}\n`);
}

/** Moves everything to its final place, the database last, and waits until that is on the disk. */
async function moveUp(staging: string, dataDir: string): Promise<void> {
  const names = (await readdir(staging)).sort(
    (one, other) => Number(one === DATABASE_FILE) - Number(other === DATABASE_FILE),
  );
  for (const name of names) await rename(join(staging, name), join(dataDir, name));
  await rm(staging, { recursive: true });
  await syncDirectory(dataDir);
}

export interface Restored extends Loaded {
  keys: string[];
  /** How many sessions, links and tokens were ended, in words. */
  ended: string;
  trail: string;
  problems: string[];
}

/** Fills the database in one transaction, so that no state before its end can be served. */
const fill = (source: Source, staging: string, actor: Actor, now: Date) =>
  inTransaction(async (trx) => {
    const loaded = await loadArchive(trx, source.file, source.opening, staging);
    const keys = await proveKeys(trx);
    const what = `Backup '${basename(source.file)}' of ${loaded.header.madeAt} restored: ${sizeOf(loaded.manifest)}.`;
    return { ...loaded, keys, ended: await settleRestored(trx, actor, what, now) };
  });

/**
 * Restores an archive into an empty DATA_DIR and, with DATABASE_URL, into an empty PostgreSQL database. All sessions, links, invitations and
 * access tokens of the copy end, and CRLs continue with higher numbers than any that was published after the backup. Must be called before
 * anything reads the environment. Throws an Error, and leaves folder and database empty, when the archive is damaged, a secret is missing or
 * any step fails.
 */
export async function restoreBackup(source: Source, actor: Actor, now = new Date()): Promise<Restored> {
  const env = environmentWith(source);
  await requireFile(source.file);
  const dataDir = resolve(env.dataDir);
  await requireEmptyFolder(dataDir);
  const staging = join(dataDir, ".restore");
  getEnv.replace({ ...env, dataDir: staging });
  const keep = removeOnSignal(staging);
  let restored: Omit<Restored, "trail" | "problems">;
  try {
    requireSecrets();
    if (env.databaseUrl) await requireEmptyDatabase();
    await mkdir(staging, { recursive: true, mode: 0o700 });
    if (source.secretsFile) await storeSecrets(env, staging);
    restored = await fill(source, staging, actor, now);
    await closeDb(); // SQLite writes everything into its file
    await moveUp(staging, dataDir);
  } catch (error) {
    await closeDb();
    for (const name of await readdir(dataDir).catch(() => [])) await rm(join(dataDir, name), { recursive: true });
    throw error;
  } finally {
    keep();
  }
  getEnv.replace({ ...env, dataDir });
  try {
    const { state, problems } = await proveTrail();
    return { ...restored, trail: state, problems };
  } finally {
    await closeDb();
  }
}
