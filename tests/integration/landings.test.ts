import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JOBS } from "~/domain/jobs/catalogue.server";
import { clearMemoized } from "~/lib/memoize.server";
import { closeDb, getConnection, getDb } from "~db/connection.server";
import { isMigrated, migrateToLatest } from "~db/migrate.server";
import { verified } from "../support/audit";
import { saidOf, useBackups } from "../support/backups";
import { runCommand } from "../support/command";
import { readRows } from "../support/landing";
import { usePortal } from "../support/portal";
import { onServer } from "../support/postgres-client";
import { linesOf, readSchema } from "../support/schema";

const FOLDER = "tests/landings";
const LANDINGS = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".sql"))
  .map((file) => file.slice(0, -".sql".length));

/** Tables and columns that a restore changes: it ends sessions, links and tokens, passes over CRL numbers, and adds an entry. */
const ENDED_BY_RESTORE = ["api_tokens", "api_client_tokens", "audit_head"];
const CHANGED_BY_RESTORE = ["session_epoch", "ended_at", "end_reason", "used_at", "crl_number"];

const portal = usePortal();
const isPostgres = process.env.TEST_DATABASE === "postgres";

let fresh: string[] = [];
beforeAll(async () => {
  fresh = linesOf(await readSchema(getConnection()));
});

/** Makes this process, and the commands with the returned variables, use the stored database of a landing. */
async function serve(name: string, dataDir: string, database: string): Promise<Record<string, string>> {
  await closeDb();
  clearMemoized();
  const env = { ...portal.env, DATA_DIR: dataDir };
  process.env.DATA_DIR = dataDir;
  if (!isPostgres) {
    writeFileSync(join(dataDir, "marque.sqlite"), gunzipSync(readFileSync(join(FOLDER, `${name}.sqlite.gz`))));
    return env;
  }
  await onServer(`create database ${database}`);
  const DATABASE_URL = portal.env.DATABASE_URL?.replace(/[^/]+$/, database) ?? "";
  process.env.DATABASE_URL = DATABASE_URL;
  await sql.raw(readFileSync(join(FOLDER, `${name}.sql`), "utf8")).execute(getDb().withoutPlugins());
  return { ...env, DATABASE_URL };
}

test("every landing exists for both databases", () => {
  expect(LANDINGS.length).toBeGreaterThan(0);
  expect(readdirSync(FOLDER).sort()).toEqual(LANDINGS.flatMap((name) => [`${name}.sql`, `${name}.sqlite.gz`]).sort());
});

test("docs/privacy.md says of every table how long its rows are kept", async () => {
  const text = readFileSync("docs/privacy.md", "utf8");
  const { tables } = await readSchema(getConnection());
  expect(tables.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test("docs/privacy.md names the jobs that end something, and each of them exists", () => {
  const rows = readFileSync("docs/privacy.md", "utf8")
    .split("\n")
    .filter((line) => /^\| .*`\w+`.*\|$/.test(line));
  const ends = rows.flatMap((row) =>
    [...(row.split("|").at(-2) ?? "").matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
  );
  expect(ends).toEqual(expect.arrayContaining(["retention", "erasures", "clean-up", "old-mail", "security-events"]));
  expect(ends.filter((name) => !JOBS.some((job) => job.name === name))).toEqual([]);
});

describe.each(LANDINGS)("the landing %s", (name) => {
  const dataDir = mkdtempSync(join(tmpdir(), "marque-landing-"));
  const database = `landing_${name.replaceAll("-", "_")}_${process.pid}`;
  afterAll(async () => {
    await closeDb();
    clearMemoized();
    if (isPostgres) await onServer(`drop database if exists ${database} with (force)`);
    Object.assign(process.env, portal.env);
    rmSync(dataDir, { recursive: true });
  });

  test("[AUD-02] is migrated to this version with every row, a sound audit trail and the schema of a new database", async () => {
    await serve(name, dataDir, database);
    // A session needs a row of its own since 0008-sessions, so the list of ended sessions has no use any more and is dropped.
    const { countries = [], ended_sessions: _, ...before } = await readRows();
    await migrateToLatest(getConnection());

    expect(await isMigrated(getConnection())).toBe(true);
    expect(linesOf(await readSchema(getConnection()))).toEqual(fresh);
    const after = await readRows();
    for (const [table, rows] of Object.entries(before)) {
      expect(rows.length, table).toBeGreaterThan(0);
      const common = Object.keys(rows[0] ?? {}).filter((column) => column in (after[table]?.[0] ?? {}));
      const values = (row: Record<string, unknown>) => common.map((column) => row[column]);
      expect(after[table]?.map(values), table).toEqual(expect.arrayContaining(rows.map(values)));
    }
    expect(after.countries?.map(({ id }) => id)).toEqual(expect.arrayContaining(countries.map(({ id }) => id)));
    const trail = await verified();
    expect(trail.problems).toEqual([]);
    expect(trail.entries).toBeGreaterThan(0);
    expect(trail.checkpoints).toBeGreaterThan(0);
  });
});

/** The last landing has the schema of this version, unless a migration is on its way. The one before it is an earlier version's. */
describe("the data of the landings before this version, backed up by this version before it migrates them", () => {
  const { recipient, machine, restore, path } = useBackups(() => portal.env);
  const databases: string[] = [];
  afterAll(async () => {
    await closeDb();
    clearMemoized();
    for (const name of databases) await onServer(`drop database if exists ${name} with (force)`);
    Object.assign(process.env, portal.env);
  });

  const use = async (env: Record<string, string>) => {
    await closeDb();
    clearMemoized();
    Object.assign(process.env, env);
  };

  test.each(LANDINGS.slice(-2))(
    "[CAL-04] %s is restored with every row as it was, in the schema of this version, and can be migrated as before",
    async (name) => {
      const database = `upgraded_${name.replaceAll("-", "_")}_${process.pid}`;
      if (isPostgres) databases.push(database);
      const dataDir = path(`${name} data`);
      mkdirSync(dataDir);
      const env = await serve(name, dataDir, database);
      const before = await readRows();
      const archive = path(`${name}.age`);
      const taken = await runCommand(["backup", archive, "--recipient", recipient, "--operator", "Olga"], env);
      expect(saidOf(taken)).toMatch(/^0 Backed up/);
      const copy = await machine(name);
      const restored = await restore(copy, archive);
      expect(saidOf(restored)).toMatch(/^0 Restored .*The audit trail is sound/s);

      await use(copy);
      expect(await isMigrated(getConnection())).toBe(true);
      expect(linesOf(await readSchema(getConnection()))).toEqual(fresh);
      const after = await readRows();
      for (const [table, rows] of Object.entries(before)) {
        if (ENDED_BY_RESTORE.includes(table)) continue;
        const common = Object.keys(rows[0] ?? {}).filter((column) => column in (after[table]?.[0] ?? {}));
        const values = (row: Record<string, unknown>) =>
          common.map((column) => (CHANGED_BY_RESTORE.includes(column) ? null : row[column]));
        expect(after[table]?.map(values), table).toEqual(expect.arrayContaining(rows.map(values)));
      }
      const trail = await verified();
      expect(trail.problems).toEqual([]);

      await use(env);
      await migrateToLatest(getConnection());
      expect(linesOf(await readSchema(getConnection()))).toEqual(fresh);
    },
  );
});
