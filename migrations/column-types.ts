import { sql, type ColumnDefinitionBuilder, type Kysely } from "kysely";

export type Dialect = "sqlite" | "postgres";
/** The schema of a migration is its own and does not use the current table types. */
export type AnyDb = Kysely<Record<string, never>>;

/** Returns the column types that the portal uses, with their names in each database. */
export const columnTypes = (dialect: Dialect) => {
  const isPostgres = dialect === "postgres";
  return {
    moment: isPostgres ? sql`timestamptz(3)` : sql`text`,
    /** SQLite stores 0 and 1. The connection reads a column that is declared as boolean as a boolean (`db/codecs.ts`). */
    flag: sql`boolean`,
    bytes: isPostgres ? sql`bytea` : sql`blob`,
    fraction: isPostgres ? sql`double precision` : sql`real`,
    /** Text that is sorted by its bytes, as SQLite does, whatever the language of the database. */
    ordered: isPostgres ? sql`text collate "C"` : sql`text`,
    no: isPostgres ? sql`false` : sql`0`,
    id: (column: ColumnDefinitionBuilder) =>
      isPostgres ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement(),
  };
};

/** Makes the ids of a table begin at `first`, so that numbers shown to customers do not begin at 1. */
export async function startIdsAt(db: AnyDb, dialect: Dialect, table: string, first: number): Promise<void> {
  if (dialect === "postgres")
    await sql`alter table ${sql.table(table)} alter column id restart with ${sql.lit(first)}`.execute(db);
  else await sql`insert into sqlite_sequence (name, seq) values (${table}, ${first - 1})`.execute(db);
}

/** Makes the database refuse every update and deletion of a table's rows. */
export async function makeImmutable(db: AnyDb, dialect: Dialect, table: string): Promise<void> {
  const message = `${table} are never changed`;
  if (dialect === "postgres") {
    await sql
      .raw(
        `create function ${table}_refuse() returns trigger language plpgsql as
         $$ begin raise exception '${message}'; end $$`,
      )
      .execute(db);
    await sql
      .raw(`create trigger ${table}_immutable before update or delete on ${table} execute function ${table}_refuse()`)
      .execute(db);
    return;
  }
  for (const change of ["update", "delete"])
    await sql
      .raw(
        `create trigger ${table}_no_${change} before ${change} on ${table} begin select raise(abort, '${message}'); end`,
      )
      .execute(db);
}
