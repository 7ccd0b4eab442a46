import type SQLiteDatabase from "better-sqlite3";
import { DEFAULT_MIGRATION_LOCK_TABLE, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { type DbConnection } from "./connection.server";
import { bytesToText, type CopiedRows, type CopiedTable, sqlName, sqlNames } from "./copied-rows";
import { type PostgresPool } from "./postgres-pool.server";
import { SQLite } from "./sqlite.server";

/** A database as of one instant. Others continue to read and write it. */
export interface DatabaseReading {
  /** Names of the migrations that ran, in order. */
  migrations: string[];
  tables: CopiedTable[];
  /** Reads the rows of a table, a few megabytes at a time. */
  rowsOf: (table: CopiedTable) => AsyncIterable<CopiedRows>;
  /** Returns the next id of each table whose ids the database counts. It is read last, so that no id of the rows is above it. */
  nextIds: () => Promise<Record<string, number>>;
}

/** How much text is returned at once. A longer row is returned alone. */
const PART_LENGTH = 4 * 1024 * 1024;

/** Joins lines into parts. */
class Parts {
  #lines: string[] = [];
  #length = 0;

  /** Adds a row. Returns a part when it is large enough. */
  add(values: readonly unknown[]): CopiedRows | null {
    const line = `${JSON.stringify(values)}\n`;
    this.#lines.push(line);
    this.#length += line.length;
    return this.#length < PART_LENGTH ? null : this.take();
  }

  take(): CopiedRows {
    const part = { text: this.#lines.join(""), rows: this.#lines.length };
    [this.#lines, this.#length] = [[], 0];
    return part;
  }
}

const MIGRATIONS = "select name from kysely_migration";

/** Whether a migration runs is no data. */
const isCopied = ({ name }: CopiedTable) => name !== DEFAULT_MIGRATION_LOCK_TABLE;

// SQLite

/** Tables of the portal, without those that SQLite and its text index keep for themselves. */
const SQLITE_TABLES =
  String.raw`select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\_%' escape '\'` +
  " order by name";

const fromSqlite = (value: unknown, type: string): unknown => {
  if (value instanceof Buffer) return bytesToText(value);
  return type === "boolean" && value !== null ? value === 1 : value;
};

async function* sqliteRows(database: SQLiteDatabase.Database, { name, columns }: CopiedTable) {
  const statement = database.prepare(`select ${sqlNames(columns)} from ${sqlName(name)}`);
  const types = statement.columns().map(({ type }) => type ?? "");
  const parts = new Parts();
  for (const row of statement.raw().iterate() as IterableIterator<unknown[]>) {
    const part = parts.add(row.map((value, index) => fromSqlite(value, types[index] ?? "")));
    if (part) yield await Promise.resolve(part);
  }
  const rest = parts.take();
  if (rest.rows > 0) yield rest;
}

/** Reads over a connection of its own, in one transaction. */
async function readSqlite<T>(file: string, work: (reading: DatabaseReading) => Promise<T>): Promise<T> {
  const database = new SQLite(file, { readonly: true });
  try {
    database.exec("begin");
    const texts = (query: string, ...values: string[]) =>
      database
        .prepare(query)
        .pluck()
        .all(...values) as string[];
    const tables = texts(SQLITE_TABLES).map((name) => ({
      name,
      columns: texts("select name from pragma_table_info(?) order by cid", name),
    }));
    const nextIds = () => {
      const rows = database.prepare("select name, seq from sqlite_sequence").all() as { name: string; seq: number }[];
      return Promise.resolve(Object.fromEntries(rows.map(({ name, seq }) => [name, seq + 1])));
    };
    return await work({
      migrations: texts(MIGRATIONS).sort(),
      tables: tables.filter(isCopied),
      rowsOf: (table) => sqliteRows(database, table),
      nextIds,
    });
  } finally {
    database.close();
  }
}

// PostgreSQL

const { builtins } = pg.types;

/** How the driver's texts become values, by the type of the column. Another type needs a line here first. */
const READERS: Record<number, (text: string) => unknown> = {
  [builtins.BOOL]: (text) => text === "t",
  [builtins.BYTEA]: (text) => text,
  [builtins.FLOAT8]: Number,
  [builtins.INT4]: Number,
  [builtins.INT8]: Number,
  [builtins.TEXT]: (text) => text,
  [builtins.TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
  [builtins.VARCHAR]: (text) => text,
};

const getTypeParser = (oid: number) => {
  const reader = READERS[oid];
  if (!reader) throw new TypeError(`A backup cannot contain columns of PostgreSQL's type ${oid} yet.`);
  return reader;
};

/** Runs a statement and returns its rows as arrays. `isForBackup` reads the values as a backup contains them. */
type Query = (text: string, isForBackup?: boolean) => Promise<unknown[][]>;

const queryOf =
  (client: PostgresPoolClient): Query =>
  async (text, isForBackup = false) => {
    const config = { text, rowMode: "array", ...(isForBackup && { types: { getTypeParser } }) };
    const { rows } = await (client.query as unknown as (this: void, config: object) => Promise<{ rows: unknown[][] }>)(
      config,
    );
    return rows;
  };

const POSTGRES_COLUMNS = `select relname, array_agg(attname::text order by attnum) from pg_class
  join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
  where relkind = 'r' and relnamespace = current_schema()::regnamespace group by relname order by relname`;

/** The tables whose ids PostgreSQL counts, and where. */
const POSTGRES_COUNTERS = `select relname, pg_get_serial_sequence(quote_ident(relname), attname::text) from pg_class
  join pg_attribute on attrelid = pg_class.oid and attidentity <> ''
  where relkind = 'r' and relnamespace = current_schema()::regnamespace`;

/** The number of rows that are read first. Later ones are as many as fit into a part. */
const FIRST_ROWS = 8;
const MOST_ROWS = 5000;

async function* postgresRows(query: Query, { name, columns }: CopiedTable) {
  await query(`declare copied no scroll cursor for select ${sqlNames(columns)} from ${sqlName(name)}`);
  const parts = new Parts();
  let count = FIRST_ROWS;
  for (;;) {
    const rows = await query(`fetch ${count} from copied`, true);
    let length = 0;
    for (const row of rows) {
      const part = parts.add(row);
      if (!part) continue;
      length += part.text.length;
      yield part;
    }
    const rest = parts.take();
    if (rest.rows > 0) yield rest;
    if (rows.length < count) break;
    const average = Math.max(1, (length + rest.text.length) / rows.length);
    count = Math.min(MOST_ROWS, Math.max(1, Math.floor(PART_LENGTH / average)), count * 8);
  }
  await query("close copied");
}

/** Reads in one transaction, whose statements all see the same state. */
async function readPostgres<T>(pool: PostgresPool, work: (reading: DatabaseReading) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const query = queryOf(client);
  try {
    await query("begin isolation level repeatable read read only");
    const tables = (await query(POSTGRES_COLUMNS)) as [string, string[]][];
    const nextIds = async () => {
      const found: Record<string, number> = {};
      for (const [name, counter] of (await query(POSTGRES_COUNTERS)) as [string, string][]) {
        const [[next] = []] = await query(`select last_value + is_called::int from ${counter}`);
        found[name] = next as number;
      }
      return found;
    };
    const result = await work({
      migrations: (await query(MIGRATIONS)).map(([name]) => name as string).sort(),
      tables: tables.map(([name, columns]) => ({ name, columns })).filter(isCopied),
      rowsOf: (table) => postgresRows(query, table),
      nextIds,
    });
    await query("commit");
    return result;
  } catch (error) {
    await query("rollback").catch(() => undefined); // the first error says more
    throw error;
  } finally {
    client.release();
  }
}

/** Calls `work` with the database as of one instant and returns its result. */
export const readDatabase = <T>({ driver }: DbConnection, work: (reading: DatabaseReading) => Promise<T>): Promise<T> =>
  driver instanceof SQLite ? readSqlite(driver.name, work) : readPostgres(driver, work);
