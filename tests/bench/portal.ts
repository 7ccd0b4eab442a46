import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { kdfRounds } from "~/ca/keys.server";
import { createAuthorities } from "~/domain/authorities/create.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { clearMemoized } from "~/lib/memoize.server";
import { closeDb, type Dialect, getConnection, getDb } from "~db/connection.server";
import { migrateToLatest } from "~db/migrate.server";
import { startPostgres } from "../support/postgres";
import { reportVersion } from "./report";

/** Writes one line to the standard output. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

export const perSecond = (count: number, ms: number): number => (count * 1000) / ms;
export const round = (value: number, digits = 0): string => value.toFixed(digits);

/** Returns how long `work` takes, in milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * Returns the processor time of this process during `work`, in milliseconds, of all threads together. Other work on the machine disturbs
 * this measurement least.
 */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns the median of some measurements. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

export interface BenchPortal {
  dataDir: string;
  /** The environment for child processes. */
  env: Record<string, string>;
}

const FULL_BITS = 4096;
/** `npm run bench -- --small` does not measure, so it uses shorter keys, which are decrypted quickly. */
const KEY_BITS = Number(process.env.BENCH_BITS ?? FULL_BITS);

async function databaseVersion(dialect: Dialect): Promise<string> {
  const version = dialect === "postgres" ? sql`current_setting('server_version')` : sql`sqlite_version()`;
  const { rows } = await sql<{ version: string }>`select ${version} as version`.execute(getDb());
  return `${dialect === "postgres" ? "PostgreSQL" : "SQLite"} ${rows[0]?.version ?? ""}`;
}

/** One set of secrets for the process, because modules cache what they have made with the first one. */
const SECRETS = {
  ROOT_PASSPHRASE: randomBytes(24).toString("hex"),
  CA_PASSPHRASE: randomBytes(24).toString("hex"),
  RESPONDER_PASSPHRASE: randomBytes(24).toString("hex"),
  SESSION_SECRETS: randomBytes(24).toString("hex"),
  AUDIT_KEYS: randomBytes(24).toString("hex"),
};

/**
 * Runs `work` in this process with a new portal, which has its own data folder, CA keys of KEY_BITS and durable commits. Removes all of it
 * afterwards.
 */
export async function withPortal(
  dialect: Dialect,
  work: (portal: BenchPortal) => Promise<void>,
  more: Record<string, string> = {},
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "marque-bench-"));
  const server = dialect === "postgres" ? await startPostgres({ isDurable: true }) : null;
  await server?.createDatabase("bench");
  const env = {
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    DATABASE_URL: server ? `${server.socketUrl}/bench` : "",
    ...SECRETS,
    SIGNER_CHILD: "no",
    LOG_LEVEL: "error",
    RATE_LIMITS: "off",
    ...more,
  };
  Object.assign(process.env, env);
  clearMemoized();
  if (KEY_BITS < FULL_BITS) kdfRounds.replace(2048);
  try {
    await migrateToLatest(getConnection());
    for (const name of await createAuthorities({ bits: KEY_BITS }))
      await publishCrls(name, new Date(), { allowRoot: true });
    reportVersion(await databaseVersion(dialect));
    await work({ dataDir, env });
  } finally {
    await closeDb();
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Runs `work` for every item, `callers` of them at a time. */
export async function atOnce<T>(callers: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const caller = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: callers }, caller));
}
