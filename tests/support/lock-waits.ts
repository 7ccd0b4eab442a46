import { sql } from "kysely";
import { getDb } from "~db/connection.server";

/** How many statements of this PostgreSQL database wait for a lock. */
export async function countLockWaits(): Promise<number> {
  const { rows } = await sql<{ waits: string }>`select count(*) as waits from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(getDb());
  return Number(rows[0]?.waits);
}
