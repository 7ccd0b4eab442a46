import { administerAccount } from "~/domain/accounts/administration/user-administration.service.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import { getDb } from "~db/connection.server";

const OPERATOR = systemActor("command line (Olga)");

/** Erases the data of a person as the command line does. */
export const erase = ({ id }: { id: number }, reason = "asked by letter"): Promise<unknown> =>
  administerAccount({ action: "erase", id, actor: OPERATOR, reason });

/** Tables whose rows keep what the test of an erasure looks for: sealed entries, keys of limits that end within a day. */
const NOT_SEARCHED = ["kysely_migration", "kysely_migration_lock", "rate_limits"];

/** Returns the tables and columns in which one of these texts occurs, regardless of case. */
export async function placesOf(texts: readonly string[]): Promise<string[]> {
  const wanted = texts.map((text) => text.toLowerCase());
  const places = new Set<string>();
  const db = getDb().withoutPlugins();
  for (const { name } of await db.introspection.getTables()) {
    if (NOT_SEARCHED.includes(name)) continue;
    const rows = (await db
      .selectFrom(name as never)
      .selectAll()
      .execute()) as Record<string, unknown>[];
    for (const row of rows)
      for (const [column, value] of Object.entries(row)) {
        const text = typeof value === "string" ? value.toLowerCase() : "";
        if (wanted.some((one) => text.includes(one))) places.add(`${name}.${column}`);
      }
  }
  return [...places].sort();
}
