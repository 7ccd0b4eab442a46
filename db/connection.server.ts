import { mkdirSync } from "node:fs";
import type SQLiteDatabase from "better-sqlite3";
import { Kysely, type Transaction } from "kysely";
import { databaseFileIn } from "~/lib/data-files.server";
import { type Env, getEnv } from "~/lib/env.server";
import { memoize } from "~/lib/memoize.server";
import { CamelCaseResults, SnakeCasePostgresDialect } from "./compilers.server";
import { PostgresPool } from "./postgres-pool.server";
import { ImmediateSqliteDialect } from "./sqlite-dialect.server";
import { SQLite } from "./sqlite.server";
import { type Database } from "./tables";
import { TurnsPlugin } from "./turns.server";
import { isUnavailable } from "./unavailable.server";

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;
/** The connection, or the transaction in which a repository function runs. */
export type DbOrTrx = Db | Trx;
export type Dialect = "sqlite" | "postgres";

export interface DbConnection {
  db: Db;
  dialect: Dialect;
  /** The driver's own handle, for libraries that run their own statements. */
  driver: SQLiteDatabase.Database | PostgresPool;
  /** On SQLite, lets whoever has the connection now return it without waiting for the disk. */
  leaveChanges: () => void;
}

/** How long a statement waits for other processes, in milliseconds. */
const SQLITE_TIMEOUT_MS = 10_000;

function openSqlite(file: string): DbConnection {
  const driver = new SQLite(file, { timeout: SQLITE_TIMEOUT_MS });
  const hasLog = driver.pragma("journal_mode = WAL", { simple: true }) === "wal"; // not on every file system
  driver.pragma(`synchronous = ${hasLog ? "NORMAL" : "FULL"}`); // with a log, the dialect waits for the disk
  driver.pragma("foreign_keys = ON");
  driver.pragma("secure_delete = ON"); // overwrites what is deleted, so that erased data does not stay in the file
  const dialect = new ImmediateSqliteDialect(driver, hasLog);
  return {
    db: new Kysely<Database>({ dialect, plugins: [new CamelCaseResults(), new TurnsPlugin()] }),
    dialect: "sqlite",
    driver,
    leaveChanges: () => dialect.leaveChanges(),
  };
}

function openPostgres(databaseUrl: string, timeoutMs: number): DbConnection {
  const driver = new PostgresPool(databaseUrl, timeoutMs);
  return {
    db: new Kysely<Database>({
      dialect: new SnakeCasePostgresDialect({ pool: driver }),
      plugins: [new CamelCaseResults()],
    }),
    dialect: "postgres",
    driver,
    leaveChanges: () => undefined,
  };
}

/**
 * Opens a database. Without `databaseUrl` it opens the SQLite file `marque.sqlite` in `dataDir`. `databaseTimeoutMs` limits how long a
 * statement on PostgreSQL may take, in milliseconds.
 */
export function openDatabase({
  databaseUrl,
  databaseTimeoutMs,
  dataDir,
}: Pick<Env, "databaseUrl" | "databaseTimeoutMs" | "dataDir">): DbConnection {
  if (databaseUrl) return openPostgres(databaseUrl, databaseTimeoutMs);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return openSqlite(databaseFileIn(dataDir));
}

/** The single connection of this process. */
export const getConnection = memoize(() => openDatabase(getEnv()));

export const getDb = (): Db => getConnection().db;

let watchers = 0;

/**
 * Watches the file over a connection of its own, because SQLite does not count what the asking connection itself changed. Null on
 * PostgreSQL.
 */
const watcher = memoize(() => {
  const { driver } = getConnection();
  if (!(driver instanceof SQLite)) return null;
  const database = new SQLite(driver.name, { readonly: true, timeout: 0 });
  const statement = database.prepare<[], number>("pragma data_version").pluck();
  // SQLite's number means something on the same connection only.
  const first = (watchers += 1) * 2 ** 32;
  return { version: () => first + (statement.get() ?? 0), close: () => void database.close() };
});

/**
 * Returns a number that is different after every change of the database by any process. It takes about 1 µs. Returns null when it is not
 * known: always on PostgreSQL, and on SQLite while the file cannot be read at once.
 */
export function databaseVersion(): number | null {
  try {
    return watcher()?.version() ?? null;
  } catch (error) {
    if (isUnavailable(error)) return null;
    throw error;
  }
}

const LONGEST_WAIT_MS = 500;

/**
 * Copies the write-ahead log of SQLite into the database and empties it, so that the log does not keep what was erased. Does as much as
 * possible without waiting long for readers, so call it again later. Does nothing on PostgreSQL.
 */
export function emptyWriteAheadLog(): void {
  const { driver } = getConnection();
  if (!(driver instanceof SQLite)) return;
  driver.pragma(`busy_timeout = ${LONGEST_WAIT_MS}`);
  driver.pragma("wal_checkpoint(TRUNCATE)");
  driver.pragma(`busy_timeout = ${SQLITE_TIMEOUT_MS}`);
}

/** Closes the connection of the process. The next `getDb` opens a new one. */
export async function closeDb(): Promise<void> {
  const open = getConnection.peek();
  watcher.peek()?.close();
  watcher.clear();
  getConnection.clear();
  await open?.db.destroy();
}
