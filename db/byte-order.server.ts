import { type Expression, type RawBuilder, sql } from "kysely";
import { getConnection } from "./connection.server";

/** A text to order by its bytes, as SQLite does, whatever the database's language. */
export const byteOrdered = (text: Expression<string | null>): RawBuilder<string | null> =>
  getConnection().dialect === "postgres" ? sql`${text} collate "C"` : sql`${text}`;
