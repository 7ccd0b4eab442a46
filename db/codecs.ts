import type SQLite from "better-sqlite3";
import { type SqliteStatement } from "kysely";

/** Converts a value, or those of a list, to what both databases accept: timestamps as ISO text in UTC, booleans as 0 and 1. */
function encode(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "boolean") return value ? 1 : 0;
  return Array.isArray(value) ? value.map(encode) : value;
}

/** Converts the parameters of a statement to what both databases accept. better-sqlite3 takes neither dates nor booleans. */
export const encodeAll = (parameters: readonly unknown[]): unknown[] => parameters.map(encode);

type SqliteRow = Record<string, unknown>;

function decodeRow(row: SqliteRow, names: readonly string[]): SqliteRow {
  for (const name of names) if (row[name] !== null) row[name] = row[name] === 1;
  return row;
}

/**
 * Returns a SQLite statement that encodes its parameters, and reads 0 and 1 as booleans in every column that is declared as boolean, whatever
 * name the column is selected under. The columns are found once for each statement. Calculated values stay numbers. PostgreSQL has its own
 * boolean type.
 */
export function withCodecs(statement: SQLite.Statement<unknown[], SqliteRow>): SqliteStatement {
  const columns = statement.reader ? statement.columns() : [];
  const names = columns.filter(({ type }) => type === "boolean").map(({ name }) => name);
  return {
    reader: statement.reader,
    all: (parameters) => {
      const rows = statement.all(...encodeAll(parameters));
      if (names.length > 0) for (const row of rows) decodeRow(row, names);
      return rows;
    },
    *iterate(parameters) {
      for (const row of statement.iterate(...encodeAll(parameters))) yield decodeRow(row, names);
    },
    run: (parameters) => statement.run(...encodeAll(parameters)),
  };
}
