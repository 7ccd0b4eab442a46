import { sql } from "kysely";
import { getConnection, type Trx } from "./connection.server";

/**
 * The first of the two numbers that name an advisory lock of PostgreSQL. Each subject has its own number, so that callers wait only for
 * others with the same subject.
 */
const SUBJECTS = {
  publicKey: 1,
  email: 2,
  invoiceNumber: 3,
  modulusProduct: 4,
  codeMaintenance: 6,
  directParents: 7,
} as const;

/**
 * Waits until no other transaction holds this lock, and holds it until the end of this transaction. Does nothing on SQLite, where a
 * transaction is the only writer from its beginning.
 * @param subject What the lock protects.
 * @param key A 32-bit number that tells apart the locks of one subject.
 */
export async function takeLock(trx: Trx, subject: keyof typeof SUBJECTS, key = 0): Promise<void> {
  if (getConnection().dialect !== "postgres") return;
  await sql`select pg_advisory_xact_lock(${SUBJECTS[subject]}::int, ${key}::int)`.execute(trx);
}
