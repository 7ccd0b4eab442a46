import { type Explainable, type RawBuilder, sql } from "kysely";
import { getConnection, getDb } from "~db/connection.server";

/** Returns the query plan of a statement in the notation of the test's database. */
export async function planOf(statement: RawBuilder<unknown>): Promise<string> {
  if (getConnection().dialect === "postgres") {
    const { rows } = await sql<Record<string, string>>`explain ${statement}`.execute(getDb());
    return rows.map((row) => Object.values(row)[0]).join("\n");
  }
  const { rows } = await sql<{ detail: string }>`explain query plan ${statement}`.execute(getDb());
  return rows.map(({ detail }) => detail).join("\n");
}

/** Returns the query plan of a query, in the same notation. */
export async function planOfQuery(query: Explainable): Promise<string> {
  if (getConnection().dialect === "postgres")
    return (await query.explain<Record<string, string>>()).map((step) => Object.values(step)[0]).join("\n");
  return (await query.explain<{ detail: string }>(undefined, sql`query plan`)).map(({ detail }) => detail).join("\n");
}

/** Returns a pattern that matches a plan in which any index is searched by a condition on this column. */
export const searchesBy = (column: string): RegExp =>
  new RegExp(`Index Cond: .*\\b${column}\\b|SEARCH \\w+ USING (COVERING )?INDEX \\w+ \\([^)]*\\b${column}[=<>]`);
