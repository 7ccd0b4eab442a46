import { type DbConnection } from "./connection.server";
import { SQLite } from "./sqlite.server";

/** The content of a copy of the database. */
export interface SnapshotContent {
  /** Names of the migrations that ran, in order. */
  migrations: string[];
  /** Number of rows in each table, by table name. */
  tables: Record<string, number>;
}

/**
 * Writes a copy of the current SQLite database to a new file while others continue to read and write. `VACUUM INTO` reads in one
 * transaction and leaves out the remains of deleted rows.
 */
export function writeSnapshot({ driver }: DbConnection, file: string): void {
  if (!(driver instanceof SQLite)) throw new TypeError("Only SQLite is copied by the portal.");
  driver.prepare("vacuum into ?").run(file);
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Reads a copy without changing it. Throws an Error when the file is damaged or is not a database. */
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
