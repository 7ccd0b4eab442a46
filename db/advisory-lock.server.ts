import { sql } from "kysely";
import { getConnection, type Trx } from "./connection.server";

/**
 * The first of the two numbers that identify an advisory lock of PostgreSQL. Each subject has its own number, so that a transaction waits
 * only for others that lock the same subject.
 */
const SUBJECTS = {
  publicKey: 1,
  email: 2,
  invoiceNumber: 3,
  modulusProduct: 4,
  codeMaintenance: 6,
  directParents: 7,
  policies: 8,
  domain: 9,
} as const;

/** Takes several locks of one subject as `takeLock` does, in the given order. */
export async function takeLocks(trx: Trx, subject: keyof typeof SUBJECTS, keys: readonly number[]): Promise<void> {
  if (getConnection().dialect !== "postgres") return;
  await sql`select pg_advisory_xact_lock(${SUBJECTS[subject]}::int, key) from unnest(${keys}::int[]) as key`.execute(
    trx,
  );
}

/**
 * Waits until no other transaction holds this lock, and holds it until the end of this transaction. Does nothing on SQLite, where only one
 * transaction can write at a time.
 * @param subject What the lock protects.
 * @param key A 32-bit integer that distinguishes the locks of one subject.
 */
export async function takeLock(trx: Trx, subject: keyof typeof SUBJECTS, key = 0): Promise<void> {
  if (getConnection().dialect !== "postgres") return;
  await sql`select pg_advisory_xact_lock(${SUBJECTS[subject]}::int, ${key}::int)`.execute(trx);
}
