import { setTimeout as sleep } from "node:timers/promises";
import { type Db, getConnection, type Trx } from "./connection.server";
import { mustParseAgain } from "./statement-names.server";

const ATTEMPTS = 5;
const LONGEST_WAIT_MS = 50;

/**
 * Returns whether the error is a serialization failure, a deadlock or a statement that must be parsed again on PostgreSQL, or any of the errors on SQLite that say another process
 * holds the database.
 */
const isRetryable = (error: unknown) => {
  const { code } = error as { code?: unknown };
  return (
    code === "40001" ||
    code === "40P01" ||
    mustParseAgain(error) ||
    (typeof code === "string" && code.startsWith("SQLITE_BUSY"))
  );
};

type Step<T> = (trx: Trx, items: readonly T[]) => Promise<void>;

/** The steps that each open transaction runs before its commit. */
const lastSteps = new WeakMap<Trx, Map<Step<never>, unknown[]>>();

/**
 * Runs `step` once, as the last work of the transaction before its commit, with all items that were passed for it during the transaction.
 * Use it for work that needs a lock that every transaction needs. The items are discarded when the transaction is rolled back or tried
 * again.
 */
export function beforeCommit<T>(trx: Trx, step: Step<T>, items: readonly T[]): void {
  const steps = lastSteps.get(trx);
  if (!steps) throw new Error("This transaction was not opened by inTransaction, or its work is done.");
  const waiting = steps.get(step) ?? [];
  for (const item of items) waiting.push(item);
  steps.set(step, waiting);
}

type AfterCommit = () => Promise<void>;

const followUps = new WeakMap<Trx, AfterCommit[]>();

/**
 * Runs `work` when the transaction has been committed, before `inTransaction` returns. Use it for what must change outside the database.
 * `work` must not throw, because the transaction cannot be undone any more.
 */
export function afterCommit(trx: Trx, work: AfterCommit): void {
  const waiting = followUps.get(trx);
  if (!waiting) throw new Error("This transaction was not opened by inTransaction.");
  waiting.push(work);
}

async function runToCommit<T>(trx: Trx, work: (trx: Trx) => Promise<T>): Promise<T> {
  const steps = new Map<Step<never>, unknown[]>();
  lastSteps.set(trx, steps);
  const result = await work(trx);
  lastSteps.delete(trx);
  for (const [step, items] of steps) await step(trx, items as never[]);
  return result;
}

/**
 * Runs `work` in one transaction and returns its result. After a serialization failure, a deadlock, a busy database or a changed table it tries again after
 * a short random wait, at most 5 times in all. `work` may run more than once, so it must change nothing but the database and do nothing
 * slow.
 */
export async function inTransaction<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
  const { db } = getConnection();
  for (let attempt = 1; ; attempt += 1) {
    const waiting: AfterCommit[] = [];
    try {
      const result = await db.transaction().execute((trx) => {
        followUps.set(trx, waiting);
        return runToCommit(trx, work);
      });
      for (const followUp of waiting) await followUp();
      return result;
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
      await sleep(Math.random() * LONGEST_WAIT_MS * attempt);
    }
  }
}

/**
 * Runs one statement, whose change is lost without harm when the machine loses power within the next moments. On SQLite it is not waited for
 * until the disk has it. The next transaction that does wait makes this change safe, too. Changes nothing on PostgreSQL.
 *
 * @param statement Must not be part of a transaction.
 */
export async function withoutWaitingForDisk<T>(statement: (db: Db) => Promise<T>): Promise<T> {
  const { db, dialect, leaveChanges } = getConnection();
  if (dialect === "postgres") return statement(db);
  return db.connection().execute(async (connection) => {
    const result = await statement(connection);
    leaveChanges();
    return result;
  });
}
