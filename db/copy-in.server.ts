import type SQLiteDatabase from "better-sqlite3";
import { sql } from "kysely";
import { type DbConnection, type DbOrTrx, type Trx } from "./connection.server";
import { type CopiedTable, sqlName, sqlNames, textToBytes } from "./copied-rows";
import { createFormerSchema } from "./migrate.server";
import { SQLite } from "./sqlite.server";

/** Writes the rows of a backup into a new database. */
export interface DatabaseWriting {
  /** Adds rows, which are lines of JSON, to a table. */
  add: (table: CopiedTable, text: string) => Promise<void>;
  /** Sets the ids with which tables continue, and checks that every row refers to existing rows. */
  finish: (nextIds: Readonly<Record<string, number>>) => Promise<void>;
}

async function columnOf(db: DbOrTrx, query: string): Promise<string[]> {
  const { rows } = await sql.raw<{ value: string }>(query).execute(db);
  return rows.map(({ value }) => value);
}

const linesOf = (text: string) => text.split("\n").filter(Boolean);

// SQLite

const SQLITE_TABLES = String.raw`select name as value from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\_%' escape '\'`;

const toSqlite = (value: unknown, type: string): unknown => {
  if (typeof value === "boolean") return Number(value);
  return type === "blob" && typeof value === "string" ? textToBytes(value) : value;
};

/** Writes over the connection of the transaction. References are checked at its end, because tables come in the order of their names. */
async function writeSqlite(db: DbOrTrx, database: SQLiteDatabase.Database): Promise<DatabaseWriting> {
  database.pragma("defer_foreign_keys = on");
  for (const name of await columnOf(db, SQLITE_TABLES))
    if (!name.startsWith("kysely_migration_")) database.exec(`delete from ${sqlName(name)}`);

  const add = ({ name, columns }: CopiedTable, text: string) => {
    const types = new Map(
      (database.pragma(`table_info(${sqlName(name)})`) as { name: string; type: string }[]).map((column) => [
        column.name,
        column.type.toLowerCase(),
      ]),
    );
    const insert = database.prepare(
      `insert into ${sqlName(name)} (${sqlNames(columns)}) values (${columns.map(() => "?").join(", ")})`,
    );
    for (const line of linesOf(text)) {
      const values = JSON.parse(line) as unknown[];
      insert.run(values.map((value, index) => toSqlite(value, types.get(columns[index] ?? "") ?? "")));
    }
    return Promise.resolve();
  };

  const finish = (nextIds: Readonly<Record<string, number>>) => {
    const update = database.prepare("update sqlite_sequence set seq = ? where name = ?");
    const insert = database.prepare("insert into sqlite_sequence (seq, name) values (?, ?)");
    for (const [name, next] of Object.entries(nextIds))
      if (update.run(next - 1, name).changes === 0) insert.run(next - 1, name);
    const lost = database.pragma("foreign_key_check") as { table: string }[];
    if (lost[0]) throw new Error(`Rows of the table '${lost[0].table}' refer to rows that are missing.`);
    return Promise.resolve();
  };
  return { add, finish };
}

// PostgreSQL

const OF_SCHEMA = "connamespace = current_schema()::regnamespace";
const POSTGRES_TABLES =
  "select relname as value from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace";
const FOREIGN_KEYS = `select 'alter table ' || conrelid::regclass || ' drop constraint ' || quote_ident(conname) as value
  from pg_constraint where contype = 'f' and ${OF_SCHEMA}`;
const FOREIGN_KEYS_AGAIN = `select 'alter table ' || conrelid::regclass || ' add constraint ' || quote_ident(conname) || ' '
  || pg_get_constraintdef(oid) as value from pg_constraint where contype = 'f' and ${OF_SCHEMA}`;

/** Returns the types of the columns without their lengths, because a cast to a length would shorten a text instead of refusing it. */
async function typesOf(db: DbOrTrx, table: string): Promise<Map<string, string>> {
  const { rows } = await sql<{
    name: string;
    type: string;
  }>`select attname as name, atttypid::regtype::text as type from pg_attribute
     where attrelid = ${sqlName(table)}::regclass and attnum > 0 and not attisdropped`.execute(db);
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** Removes the foreign keys until all rows are there, because tables come in the order of their names and refer to each other. */
async function writePostgres(db: DbOrTrx): Promise<DatabaseWriting> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  const again = await columnOf(db, FOREIGN_KEYS_AGAIN);
  for (const drop of await columnOf(db, FOREIGN_KEYS)) await run(drop);
  const tables = (await columnOf(db, POSTGRES_TABLES)).filter((name) => !name.startsWith("kysely_migration_"));
  await run(`truncate ${sqlNames(tables)}`);

  const add = async ({ name, columns }: CopiedTable, text: string) => {
    const types = await typesOf(db, name);
    const values = columns.map((column, index) => `(line.value ->> ${index})::${types.get(column)}`);
    const rows = `[${linesOf(text).join(",")}]`;
    await sql`insert into ${sql.raw(sqlName(name))} (${sql.raw(sqlNames(columns))})
      select ${sql.raw(values.join(", "))} from jsonb_array_elements(${rows}::jsonb) as line`.execute(db);
  };

  const finish = async (nextIds: Readonly<Record<string, number>>) => {
    for (const [name, next] of Object.entries(nextIds))
      await sql`select setval(pg_get_serial_sequence(${sqlName(name)}, 'id'), ${next}, false)`.execute(db);
    for (const add of again) await run(add);
  };
  return { add, finish };
}

/** Returns the tables of a database that a restore would mix with those of the backup. */
export const listTables = ({ db, dialect }: Pick<DbConnection, "db" | "dialect">): Promise<string[]> =>
  columnOf(db.withoutPlugins(), dialect === "postgres" ? POSTGRES_TABLES : SQLITE_TABLES);

/**
 * Gives an empty database the schema that it had after these migrations, without rows, and returns what fills it. `trx` is an open
 * transaction of the connection.
 */
export async function writeDatabase(
  trx: Trx,
  { dialect, driver }: DbConnection,
  executed: readonly string[],
): Promise<DatabaseWriting> {
  await createFormerSchema(trx, dialect, executed);
  const db = trx.withoutPlugins();
  return driver instanceof SQLite ? writeSqlite(db, driver) : writePostgres(db);
}

/** Returns the number of rows of these tables. */
export async function countRows(trx: Trx, tables: readonly CopiedTable[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const query = sql.raw<{ n: number }>(`select count(*) as n from ${sqlName(name)}`);
    counts[name] = Number((await query.execute(trx.withoutPlugins())).rows[0]?.n);
  }
  return counts;
}

/** Returns what SQLite finds wrong with the current database, or null. */
export function flawOfSqlite({ driver }: DbConnection): string | null {
  const flaw = driver instanceof SQLite ? String(driver.pragma("integrity_check(1)", { simple: true })) : "ok";
  return flaw === "ok" ? null : flaw;
}
