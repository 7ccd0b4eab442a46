import SQLite from "better-sqlite3";
import { type DbConnection } from "./connection.server";

/** What a copy of the database holds. */
export interface SnapshotContent {
  /** Names of the migrations that it ran, in order. */
  migrations: string[];
  /** Rows of every table, by the table's name. */
  tables: Record<string, number>;
}

/**
 * Writes a copy of the SQLite database as it is at this moment into a new file, while others go on reading and writing: `VACUUM INTO`
 * reads in one transaction, and leaves out what deleted rows left behind.
 */
export function writeSnapshot({ driver }: DbConnection, file: string): void {
  if (!(driver instanceof SQLite)) throw new TypeError("Only SQLite is copied by the portal.");
  driver.prepare("vacuum into ?").run(file);
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Reads a copy without changing it. Throws Error when it is damaged or no database at all. */
export function readSnapshot(file: string): SnapshotContent {
  const database = new SQLite(file, { readonly: true, fileMustExist: true });
  try {
    const flaws = database.pragma("integrity_check(1)", { simple: true });
    if (flaws !== "ok") throw new Error(`The copy of the database is damaged: ${String(flaws)}`);
    const names = database
      .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'")
      .pluck()
      .all() as string[];
    const count = (name: string) =>
      database
        .prepare(`select count(*) from ${quoted(name)}`)
        .pluck()
        .get() as number;
    const migrations = names.includes("kysely_migration")
      ? (database.prepare("select name from kysely_migration order by name").pluck().all() as string[])
      : [];
    return { migrations, tables: Object.fromEntries(names.sort().map((name) => [name, count(name)])) };
  } finally {
    database.close();
  }
}
