import { sql } from "kysely";
import { getConnection } from "~db/connection.server";
import { migrateToLatest } from "~db/migrate.server";

const ADDED = { users: "sort_username", countries: "sort_name", audit_entries: "search_text" };

/** Text as lists compared it before the migration 0037. */
export const formerFold = (text: string): string => text.normalize("NFC").toLowerCase();

/** Takes away what the migration 0037 added and runs it once more, although later ones ran before it. Returns the names of the migrations that ran. */
export async function foldStoredTextsAgain(): Promise<string[]> {
  const connection = getConnection();
  const plain = connection.db.withoutPlugins();
  for (const [table, column] of Object.entries(ADDED))
    await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(plain);
  await sql`delete from kysely_migration where name = '0037-search-fold'`.execute(plain);
  return migrateToLatest(connection);
}
