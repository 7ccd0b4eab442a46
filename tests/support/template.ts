import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundlePrograms, childProgram } from "./child-programs";

export const TEST_PASSPHRASE = "passphrase of the tests' trial CA";
export const TEST_ROOT_PASSPHRASE = "passphrase of the tests' trial roots";
export const TEST_RESPONDER_PASSPHRASE = "passphrase of the tests' responders";

/** The secrets of every portal that starts from a template. */
export const TEST_SECRETS = {
  ROOT_PASSPHRASE: TEST_ROOT_PASSPHRASE,
  CA_PASSPHRASE: TEST_PASSPHRASE,
  RESPONDER_PASSPHRASE: TEST_RESPONDER_PASSPHRASE,
  AUDIT_KEYS: "a key of the tests for the audit trail",
  SESSION_SECRETS: "a secret of the tests that is long enough",
};

declare module "vitest" {
  interface ProvidedContext {
    /** A data folder with the CA's keys and, for SQLite, a migrated database. */
    templateDir: string;
    /** PostgreSQL only: the address of a server whose database `template` is migrated. */
    postgresUrl: string;
  }
}

/**
 * Creates what every test file of a project starts from. The portal has all keys itself, as one of an earlier version. `databaseUrl` is the PostgreSQL database, or "" for SQLite. Resolves with the data
 * folder and a function that removes it.
 */
export async function makeTemplate(databaseUrl = ""): Promise<{ dir: string; remove: () => void }> {
  await bundlePrograms();
  const dir = mkdtempSync(join(tmpdir(), "marque-template-"));
  const variables = {
    ...TEST_SECRETS,
    DATA_DIR: dir,
    DATABASE_URL: databaseUrl,
    SIGNER_CHILD: "no",
    LOG_LEVEL: "silent",
  };
  await promisify(execFile)(process.execPath, [childProgram("support/make-template")], {
    env: { ...process.env, ...variables },
  });
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Returns the shipped configuration with this mode of the four-eyes principle. */
export function testConfig(fourEyes: "strict" | "small-office" = "small-office") {
  const shipped = JSON.parse(readFileSync("config/portal.json", "utf8")) as { accounts: object; certificates: object };
  return { ...shipped, accounts: { ...shipped.accounts, fourEyes } };
}

/**
 * Writes the configuration of a portal into a folder and returns the file's path. Most tests are about a small office, in which one
 * administrator checks and approves.
 */
export function writeConfig(dir: string, fourEyes: "strict" | "small-office" = "small-office"): string {
  const file = join(dir, "portal.json");
  writeFileSync(file, JSON.stringify(testConfig(fourEyes)));
  return file;
}
