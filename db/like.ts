import { type RawBuilder, sql, type SqlBool } from "kysely";

/** Returns the text with `%`, `_` and the escape character escaped for a LIKE pattern. Use it with `escape '\'`. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);

/** Returns a condition that a column sorted by bytes begins with a prefix. An index of the column finds its rows. */
export const begins = (column: RawBuilder<unknown>, prefix: string): RawBuilder<SqlBool> =>
  sql`${column} >= ${prefix} and ${column} < ${`${prefix}\u{10FFFF}`}`;
