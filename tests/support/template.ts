import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthorities } from "~/domain/authorities/create.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { closeDb, getConnection } from "~db/connection.server";
import { migrateToLatest } from "~db/migrate.server";

export const TEST_PASSPHRASE = "passphrase of the tests' trial CA";

export const TEST_AUDIT_KEY = "a key of the tests for the audit trail";

declare module "vitest" {
  interface ProvidedContext {
    /** A data folder with the CA's keys and, for SQLite, a migrated database. */
    templateDir: string;
    /** PostgreSQL only: a server's address whose database `template` is migrated. */
    postgresUrl: string;
  }
}

/** Everything that a process keeps on globalThis goes, as after a restart. */
export function forgetProcessState(): void {
  for (const key of Object.keys(globalThis)) if (key.startsWith("__marque")) Reflect.deleteProperty(globalThis, key);
}

/** Makes what every test file starts from: a migrated database and a trial CA (2048-bit keys, to be quick). */
export async function makeTemplate(databaseUrl?: string): Promise<{ dir: string; remove: () => void }> {
  const dir = mkdtempSync(join(tmpdir(), "marque-template-"));
  process.env.DATA_DIR = dir;
  process.env.CA_PASSPHRASE = TEST_PASSPHRASE;
  process.env.AUDIT_KEYS = TEST_AUDIT_KEY;
  process.env.LOG_LEVEL = "silent";
  if (databaseUrl) process.env.DATABASE_URL = databaseUrl;
  else delete process.env.DATABASE_URL;
  forgetProcessState();
  await migrateToLatest(getConnection());
  await createAuthorities({ bits: 2048 });
  await renewResponders();
  await closeDb();
  forgetProcessState();
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
