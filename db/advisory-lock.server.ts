import { sql } from "kysely";
import { getConnection, type Trx } from "./connection.server";

/** First number of the two that name an advisory lock of PostgreSQL: each subject has its own, so that none waits for another's. */
const SUBJECTS = {
  publicKey: 1,
  email: 2,
  invoiceNumber: 3,
  modulusProduct: 4,
  codeMaintenance: 6,
  directParents: 7,
} as const;

/**
 * Waits until no other transaction holds this lock, and holds it up to the end of this one. In: what it is about, and which of them, as a
 * 32-bit number. On SQLite nothing is to be done: every transaction is the only one that writes, from its beginning.
 */
export async function takeLock(trx: Trx, subject: keyof typeof SUBJECTS, key = 0): Promise<void> {
  if (getConnection().dialect !== "postgres") return;
  await sql`select pg_advisory_xact_lock(${SUBJECTS[subject]}::int, ${key}::int)`.execute(trx);
}
