import { setTimeout as sleep } from "node:timers/promises";
import { getConnection, type Trx } from "./connection.server";

const ATTEMPTS = 5;
const LONGEST_WAIT_MS = 50;

/** Serialization failure and deadlock on PostgreSQL; on SQLite every way in which another process can have the database. */
const isRetryable = (error: unknown) => {
  const { code } = error as { code?: unknown };
  return code === "40001" || code === "40P01" || (typeof code === "string" && code.startsWith("SQLITE_BUSY"));
};

/**
 * Runs `work` in one transaction and returns its result; a serialization failure, a deadlock or a busy database is tried again
 * after a short random wait, at most 5 times in all.
 * `work` may run more than once, so it touches nothing but the database. Nothing slow belongs inside.
 */
export async function inTransaction<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
  const { db } = getConnection();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
      await sleep(Math.random() * LONGEST_WAIT_MS * attempt);
    }
  }
}
