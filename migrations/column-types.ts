import { sql, type ColumnDefinitionBuilder, type Kysely } from "kysely";

export type Dialect = "sqlite" | "postgres";
/** A migration's schema is its own, not today's table types. */
export type AnyDb = Kysely<Record<string, never>>;

/** The two databases' names for the kinds of column that the portal uses. */
export const columnTypes = (dialect: Dialect) => {
  const isPostgres = dialect === "postgres";
  return {
    moment: isPostgres ? sql`timestamptz(3)` : sql`text`,
    flag: isPostgres ? sql`boolean` : sql`integer`,
    bytes: isPostgres ? sql`bytea` : sql`blob`,
    fraction: isPostgres ? sql`double precision` : sql`real`,
    /** Text that is ordered by its bytes, as SQLite does, whatever the database's language. */
    ordered: isPostgres ? sql`text collate "C"` : sql`text`,
    no: isPostgres ? sql`false` : sql`0`,
    id: (column: ColumnDefinitionBuilder) =>
      isPostgres ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement(),
  };
};

/** Lets a table's ids begin at `first`, so that numbers shown to customers do not start at 1. */
export async function startIdsAt(db: AnyDb, dialect: Dialect, table: string, first: number): Promise<void> {
  if (dialect === "postgres")
    await sql`alter table ${sql.table(table)} alter column id restart with ${sql.lit(first)}`.execute(db);
  else await sql`insert into sqlite_sequence (name, seq) values (${table}, ${first - 1})`.execute(db);
}
