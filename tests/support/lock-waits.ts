import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { vi } from "vitest";
import { getConnection, getDb, type Trx } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";

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

export type Work = () => Promise<unknown>;

/**
 * Holds a lock, starts `first`, which waits for it, then `second`, until it waits too or has ended. Then lets both go on and waits for them.
 * On SQLite, which has one transaction at a time, both wait for the whole transaction, and either can come first.
 */
export async function oneAfterTheOther(hold: (trx: Trx) => Promise<unknown>, first: Work, second: Work): Promise<void> {
  const both = await inTransaction(async (trx) => {
    await hold(trx);
    const one = Promise.allSettled([first()]);
    await untilOthersWait(1);
    const two = Promise.allSettled([second()]);
    await Promise.race([untilOthersWait(2), two]);
    return { ended: Promise.all([one, two]) };
  });
  await both.ended;
}
