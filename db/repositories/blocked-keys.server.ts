import { takeLock } from "../advisory-lock.server";
import { type DbOrTrx, type Trx } from "../connection.server";

/**
 * Waits until no other transaction decides about this public key, up to the end of this one. What is read afterwards is what the
 * others left. Everything that orders, approves, stores or revokes a certificate of a key takes it before it locks a certificate.
 */
export async function lockKey(trx: Trx, keyIdentity: string): Promise<void> {
  await takeLock(trx, "publicKey", Buffer.from(keyIdentity, "hex").readInt32BE());
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
