import { sql } from "kysely";
import { type DbOrTrx, getConnection, type Trx } from "../connection.server";

/** First number of the two that name an advisory lock of PostgreSQL: these are about public keys. */
const KEY_LOCKS = 1;

/**
 * Waits until no other transaction decides about this public key, up to the end of this one. What is read afterwards is what the
 * others left. Everything that orders, approves, stores or revokes a certificate of a key takes it before it locks a certificate.
 * On SQLite every transaction is the only one that writes, from its beginning.
 */
export async function lockKey(trx: Trx, keyIdentity: string): Promise<void> {
  if (getConnection().dialect !== "postgres") return;
  const key = Buffer.from(keyIdentity, "hex").readInt32BE();
  await sql`select pg_advisory_xact_lock(${KEY_LOCKS}::int, ${key}::int)`.execute(trx);
}

/** Whether this public key is refused for ever, for all customers. In: its `keyIdentity`, lower-case hex. */
export async function isKeyBlocked(db: DbOrTrx, keyIdentity: string): Promise<boolean> {
  const row = await db
    .selectFrom("blockedKeys")
    .select("keyIdentity")
    .where("keyIdentity", "=", keyIdentity)
    .executeTakeFirst();
  return row !== undefined;
}

/** Blocks a public key for ever; blocking it again changes nothing. */
export async function blockKey(trx: Trx, keyIdentity: string, reason: string, now = new Date()): Promise<void> {
  await trx
    .insertInto("blockedKeys")
    .values({ keyIdentity, reason, createdAt: now })
    .onConflict((conflict) => conflict.column("keyIdentity").doNothing())
    .execute();
}
