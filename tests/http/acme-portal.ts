import { execFile } from "node:child_process";
import { type X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { type ClientLines, clientLines, type LinesFor } from "~/domain/acme/client-lines";
import { clearMemoized } from "~/lib/memoize.server";
import { closeDb, getDb } from "~db/connection.server";
import { freshDatabase, startPortal, type RunningPortal } from "../e2e/support/running-portal";
import { newAcmeCompany, newAcmeKey } from "../support/acme";
import { useOpenssl } from "../support/openssl";
import { TEST_SECRETS } from "../support/template";

/** What a command has printed, and whether it succeeded. */
export interface CommandDone {
  isDone: boolean;
  output: string;
}

/** Expects that a command has succeeded, and shows what it printed when it has not. */
export const expectDone = ({ isDone, output }: CommandDone) =>
  expect({ isDone, output }).toEqual({ isDone: true, output });

/** A running portal with a company that has a standing authorisation, for real ACME clients, and a folder for their files. */
export function useAcmePortal(ceilingCertificates: number) {
  const { makeCsr } = useOpenssl();
  const folder = mkdtempSync(join(tmpdir(), "marque-acme-"));
  let portal: RunningPortal;
  let company: Awaited<ReturnType<typeof newAcmeCompany>>;

  beforeAll(async () => {
    portal = await startPortal({ DATABASE_URL: await freshDatabase() });
    const { dataDir, origin, databaseUrl } = portal;
    const config = { PORTAL_CONFIG: join(dataDir, "portal.json"), PUBLIC_URL: origin, LOG_LEVEL: "silent" };
    process.env.DATABASE_URL = databaseUrl;
    Object.assign(process.env, { NODE_ENV: "test", DATA_DIR: dataDir, ...TEST_SECRETS, ...config });
    await closeDb();
    clearMemoized();
    company = await newAcmeCompany(makeCsr, { ceilingCertificates });
  });
  afterAll(async () => {
    await closeDb();
    await portal.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a command in the folder, which is also its home. */
  async function run(command: string, ...args: string[]): Promise<CommandDone> {
    const env = { NODE_ENV: "test", PATH: process.env.PATH, HOME: folder } as const;
    try {
      const { stdout, stderr } = await promisify(execFile)(command, args, { timeout: 120_000, cwd: folder, env });
      return { isDone: true, output: stdout + stderr };
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      return { isDone: false, output: stdout + stderr };
    }
  }

  return {
    folder,
    origin: () => portal.origin,
    domain: () => company.domain,
    run,

    /** Runs lines of a shell, with the folders of the system replaced by some of the test. */
    shell: (lines: string) => run("sh", "-euc", lines.replaceAll(/([ "])(\/etc|\/var)\//g, `$1${folder}$2/`)),

    /** Returns the lines of the page 'Automate with ACME' for a client, with a new key. */
    linesOf: async (client: string, host: string): Promise<ClientLines & LinesFor> => {
      const given = { ...(await newAcmeKey(company)), host };
      const found = clientLines(given).find((one) => one.client === client);
      if (!found) throw new Error(`There are no lines for ${client}.`);
      return { ...found, ...given };
    },

    /** Returns the state of a certificate at the portal. */
    stateOf: async ({ serialNumber }: X509Certificate) => {
      const query = getDb().selectFrom("certificates").select(["status", "revocationReason"]);
      return (await query.where("serialNumber", "=", serialNumber).executeTakeFirst()) ?? null;
    },
  };
}
