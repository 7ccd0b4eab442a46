import { mkdirSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { getEnv } from "~/lib/env.server";
import { memoize } from "~/lib/memoize.server";
import { CodecPlugin } from "./codecs";
import { ImmediateSqliteDialect } from "./sqlite-dialect.server";
import { type Database } from "./tables";

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;
/** What a repository function takes: the connection, or the transaction that it belongs to. */
export type DbOrTrx = Db | Trx;
export type Dialect = "sqlite" | "postgres";

export interface DbConnection {
  db: Db;
  dialect: Dialect;
  /** The driver's own handle, for libraries that bring their own statements. */
  driver: SQLite.Database | pg.Pool;
}

const plugins = () => [new CamelCasePlugin(), new CodecPlugin()];

function openSqlite(file: string): DbConnection {
  const driver = new SQLite(file, { timeout: 10_000 });
  driver.pragma("journal_mode = WAL");
  driver.pragma("synchronous = FULL");
  driver.pragma("foreign_keys = ON");
  return {
    db: new Kysely<Database>({ dialect: new ImmediateSqliteDialect(driver), plugins: plugins() }),
    dialect: "sqlite",
    driver,
  };
}

/** PostgreSQL hands over what SQLite does: bigint as number, boolean as 0/1, moments as ISO text. */
const readers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.BOOL]: (text) => (text === "t" ? 1 : 0),
  [pg.types.builtins.TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
};

function openPostgres(connectionString: string): DbConnection {
  const driver = new pg.Pool({
    connectionString,
    max: 10,
    types: {
      getTypeParser: ((oid: number, format?: "text" | "binary"): unknown =>
        readers[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
    options: "-c timezone=UTC",
  });
  driver.on("error", () => undefined); // an idle connection that breaks is replaced; the query that meets it fails itself
  return {
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: driver }), plugins: plugins() }),
    dialect: "postgres",
    driver,
  };
}

/** Opens a database. `databaseUrl` undefined = the SQLite file `marque.sqlite` in `dataDir`. */
export function openDatabase({
  databaseUrl,
  dataDir,
}: {
  databaseUrl?: string | undefined;
  dataDir: string;
}): DbConnection {
  if (databaseUrl) return openPostgres(databaseUrl);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return openSqlite(join(dataDir, "marque.sqlite"));
}

/** The one connection of this process. */
export const getConnection = memoize(() => openDatabase(getEnv()));

export const getDb = (): Db => getConnection().db;

/** Closes the process's connection; the next `getDb` opens a new one. */
export async function closeDb(): Promise<void> {
  const open = getConnection.peek();
  getConnection.clear();
  await open?.db.destroy();
}
