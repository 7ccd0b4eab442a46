import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { vi } from "vitest";
import { getConnection, getDb } from "~db/connection.server";

/** Returns the number of statements of this PostgreSQL database that wait for a lock. */
export async function countLockWaits(): Promise<number> {
  const { rows } = await sql<{ waits: string }>`select count(*) as waits from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(getDb());
  return Number(rows[0]?.waits);
}

/**
 * Waits, inside a transaction, until `count` other statements wait for its locks. SQLite starts other transactions only when this one has
 * ended, so there this function only gives them some turns of the event loop.
 */
export async function untilOthersWait(count = 1): Promise<void> {
  if (getConnection().dialect === "sqlite") for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  else
    await vi.waitFor(
      async () => {
        const waits = await countLockWaits();
        if (waits < count) throw new Error(`${waits} of ${count} wait for a lock.`);
      },
      { timeout: 20_000, interval: 20 },
    );
}
