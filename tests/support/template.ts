import { createPrivateKey } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthorities } from "~/domain/authorities/create.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { closeDb, getConnection, getDb } from "~db/connection.server";
import { migrateToLatest } from "~db/migrate.server";
import { clearMemoized } from "~/lib/memoize.server";

export const TEST_PASSPHRASE = "passphrase of the tests' trial CA";

/** The secrets of every portal that starts from a template. */
export const TEST_SECRETS = {
  CA_PASSPHRASE: TEST_PASSPHRASE,
  AUDIT_KEYS: "a key of the tests for the audit trail",
  SESSION_SECRETS: "a secret of the tests that is long enough",
};

declare module "vitest" {
  interface ProvidedContext {
    /** A data folder with the CA's keys and, for SQLite, a migrated database. */
    templateDir: string;
    /** PostgreSQL only: a server's address whose database `template` is migrated. */
    postgresUrl: string;
  }
}

/**
 * Encrypts the stored keys again with 2,048 rounds of PBKDF2 instead of 600,000: to open one takes a millisecond instead of a fifth of a
 * second. The tests of the authorities look at keys that the portal has made.
 */
async function weakenPassphrases(keyFolder: string): Promise<void> {
  const again = (pem: string) =>
    createPrivateKey({ key: pem, passphrase: TEST_PASSPHRASE })
      .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: TEST_PASSPHRASE })
      .toString();
  for (const file of readdirSync(keyFolder).filter((name) => name.endsWith(".key.pem"))) {
    const path = join(keyFolder, file);
    writeFileSync(path, again(readFileSync(path, "utf8")));
  }
  for (const { id, privateKey } of await getDb().selectFrom("ocspResponders").select(["id", "privateKey"]).execute())
    await getDb()
      .updateTable("ocspResponders")
      .set({ privateKey: privateKey && again(privateKey) })
      .where("id", "=", id)
      .execute();
}

/** Makes what every test file starts from: a migrated database and a trial CA (2048-bit keys, to be quick). */
export async function makeTemplate(databaseUrl?: string): Promise<{ dir: string; remove: () => void }> {
  const dir = mkdtempSync(join(tmpdir(), "marque-template-"));
  Object.assign(process.env, TEST_SECRETS, { DATA_DIR: dir, LOG_LEVEL: "silent" });
  if (databaseUrl) process.env.DATABASE_URL = databaseUrl;
  else delete process.env.DATABASE_URL;
  clearMemoized();
  await migrateToLatest(getConnection());
  await createAuthorities({ bits: 2048 });
  await renewResponders();
  await weakenPassphrases(join(dir, "ca"));
  await closeDb();
  clearMemoized();
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
