import { type Expression, type RawBuilder, sql } from "kysely";
import { getConnection } from "./connection.server";

/** Returns the text as an expression that sorts by bytes, as SQLite does, whatever the language of the database. */
export const byteOrdered = (text: Expression<string | null>): RawBuilder<string | null> =>
  getConnection().dialect === "postgres" ? sql`${text} collate "C"` : sql`${text}`;
