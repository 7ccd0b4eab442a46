import { type Expression, type RawBuilder, sql, type SqlBool } from "kysely";

/** Returns the text with `%`, `_` and the escape character escaped for a LIKE pattern. Use it with `escape '\'`. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);

/** Returns a condition that a text, in lower case, is one of these texts. No text is one of none. */
export const isOneOfTexts = (column: Expression<string | null>, texts: readonly string[]): RawBuilder<SqlBool> =>
  texts.length === 0 ? sql`1 = 0` : sql`lower(${column}) in (${sql.join(texts)})`;

/** Returns a condition that the JSON of a column contains one of these addresses, in lower case, as `email`. */
export const namesAddress = (column: Expression<string>, emails: readonly string[]): RawBuilder<SqlBool> =>
  emails.length === 0
    ? sql`1 = 0`
    : sql`(${sql.join(
        emails.map((email) => {
          const pattern = `%"email":${escapeLike(JSON.stringify(email))}%`;
          return sql`lower(${column}) like ${pattern} escape '\\'`;
        }),
        sql` or `,
      )})`;

/** Returns a condition that a column sorted by bytes begins with a prefix. An index of the column finds its rows. */
export const begins = (column: RawBuilder<unknown>, prefix: string): RawBuilder<SqlBool> =>
  sql`${column} >= ${prefix} and ${column} < ${`${prefix}\u{10FFFF}`}`;
