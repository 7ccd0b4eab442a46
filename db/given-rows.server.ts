import { sql } from "kysely";
import { type Database } from "./tables";

/** What the rows are called in the statement. */
const GIVEN = "given";

/**
 * Returns rows of values that a statement can join like a table, so that one `update` gives each of many rows its own values. PostgreSQL does
 * not know the types of parameters, so they take those of the table's columns. There, `returning *` would return every given value a second
 * time, so a statement names the table whose columns it returns.
 *
 * @param table The table whose columns have the names of the values.
 * @param rows At least one, all with the same names. SQLite allows 500.
 */
export function givenRows<Given extends object>(table: keyof Database, rows: readonly [Given, ...Given[]]) {
  const names = Object.keys(rows[0]) as (keyof Given & string)[];
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const each = rows.map((row) => sql`select ${sql.join(names.map((name) => row[name]))}`);
  const typed = sql`select ${columns} from ${sql.table(table)} where 1 = 0`;
  return sql<Given>`(${sql.join([typed, ...each], sql` union all `)})`.as<typeof GIVEN>(GIVEN);
}
