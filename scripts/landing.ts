// npm run landing: stores a small database of this landing for tests/integration/landings.test.ts (docs/architecture.md, 'Landings').
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { clearMemoized } from "~/lib/memoize.server";
import { closeDb, getConnection } from "~db/connection.server";
import { SQLite } from "../db/sqlite.server";
import { restartKeys } from "../tests/support/keys";
import { makeLanding } from "../tests/support/landing";
import { startPostgres } from "../tests/support/postgres";
import { readSchema } from "../tests/support/schema";
import { TEST_SECRETS } from "../tests/support/template";

const FOLDER = "tests/landings";

/** Fills a new database, calls `write` and returns its result. */
async function withLanding<Written>(
  databaseUrl: string,
  write: (dataDir: string) => Promise<Written>,
): Promise<Written> {
  const dataDir = mkdtempSync(join(tmpdir(), "marque-landing-"));
  Object.assign(process.env, TEST_SECRETS, { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: "silent" });
  clearMemoized();
  restartKeys();
  try {
    await makeLanding();
    return await write(dataDir);
  } finally {
    await closeDb();
    rmSync(dataDir, { recursive: true });
  }
}

/** Returns the compressed SQLite file with the smallest page size. */
const sqliteFile = () =>
  withLanding("", (dataDir) => {
    const file = join(dataDir, "landing.sqlite");
    const { driver } = getConnection();
    if (driver instanceof SQLite) driver.prepare("vacuum into ?").run(file);
    const copy = new SQLite(file);
    copy.pragma("page_size = 512");
    copy.exec("vacuum");
    copy.close();
    return Promise.resolve(gzipSync(readFileSync(file), { level: 9 }));
  });

/** Returns statements that recreate the database: extensions, tables, rows, sequences, then constraints, indexes, functions and triggers. */
async function dump(): Promise<string> {
  const connection = getConnection();
  const plain = connection.db.withoutPlugins();
  const { tables, others } = await readSchema(connection);
  const { rows: extensions } = await sql<{
    name: string;
  }>`select extname as name from pg_extension where extname <> 'plpgsql'`.execute(plain);
  const statements = [
    ...extensions.map(({ name }) => `create extension if not exists ${name}`),
    ...tables.map(({ name, columns }) => `create table ${name} (\n  ${columns.join(",\n  ")}\n)`),
  ];
  for (const { name, columns } of tables) {
    const values = sql.join(
      columns.map((column) => sql`quote_nullable(${sql.raw(column.split(" ")[0] ?? "")}::text)`),
      sql`, `,
    );
    const { rows } = await sql<{
      value: string;
    }>`select concat_ws(', ', ${values}) as value from ${sql.table(name)}`.execute(plain);
    statements.push(...rows.map(({ value }) => `insert into ${name} overriding system value values (${value})`));
  }
  const { rows: counters } = await sql<{ name: string }>`select sequencename as name from pg_sequences`.execute(plain);
  for (const { name } of counters) {
    const { rows } = await sql<{
      value: string;
    }>`select last_value || ', ' || is_called as value from ${sql.table(name)}`.execute(plain);
    statements.push(`select setval('${name}', ${rows[0]?.value})`);
  }
  return `${[...statements, ...others].join(";\n")};\n`;
}

async function postgresDump(): Promise<string> {
  const server = await startPostgres();
  try {
    await server.createDatabase("landing");
    return await withLanding(`${server.url}/landing`, dump);
  } finally {
    await server.stop();
  }
}

mkdirSync(FOLDER, { recursive: true });
const last = Math.max(0, ...readdirSync(FOLDER).map((file) => Number.parseInt(file, 10)));
const name = join(FOLDER, `${String(last + 1).padStart(4, "0")}-${new Date().toISOString().slice(0, 10)}`);
writeFileSync(`${name}.sqlite.gz`, await sqliteFile());
writeFileSync(`${name}.sql`, await postgresDump());
process.stdout.write(`Wrote ${name}.sqlite.gz and ${name}.sql. Commit both.\n`);
