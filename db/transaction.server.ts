import { getConnection, type Trx } from "./connection.server";

const isRetryable = (error: unknown) => {
  const code = (error as { code?: unknown }).code;
  return code === "40001" || code === "40P01" || code === "SQLITE_BUSY_SNAPSHOT";
};

/**
 * Runs `work` in one transaction and returns its result; a serialization failure or deadlock is tried again, at most 5 times.
 * `work` may run more than once, so it touches nothing but the database. Nothing slow belongs inside.
 */
export async function inTransaction<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
  const { db } = getConnection();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt >= 5 || !isRetryable(error)) throw error;
    }
  }
}
