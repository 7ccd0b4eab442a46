import { takeLock, takeLocks } from "../advisory-lock.server";
import { type DbOrTrx, type Trx } from "../connection.server";

const lockOf = (keyIdentity: string) => Buffer.from(keyIdentity, "hex").readInt32BE();

/**
 * Waits until no other transaction makes a decision about this public key, and holds the lock until this transaction ends. Rows that are
 * read afterwards include the changes of the others. Everything that orders, approves, stores or revokes a certificate of a key takes this
 * lock before it locks a certificate.
 */
export async function lockKey(trx: Trx, keyIdentity: string): Promise<void> {
  await takeLock(trx, "publicKey", lockOf(keyIdentity));
}

/** Locks several keys as `lockKey` does, always in the same order. */
export async function lockKeys(trx: Trx, keyIdentities: Iterable<string>): Promise<void> {
  await takeLocks(trx, "publicKey", [...new Set(keyIdentities)].sort().map(lockOf));
}

/** Returns those of these public keys that are blocked (`isKeyBlocked`). */
export async function listBlocked(db: DbOrTrx, keyIdentities: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("blockedKeys")
    .select("keyIdentity")
    .where("keyIdentity", "in", keyIdentities)
    .execute();
  return new Set(rows.map(({ keyIdentity }) => keyIdentity));
}

/** Returns whether this public key is refused for ever, for all customers. `keyIdentity` is lower-case hex. */
export async function isKeyBlocked(db: DbOrTrx, keyIdentity: string): Promise<boolean> {
  const row = await db
    .selectFrom("blockedKeys")
    .select("keyIdentity")
    .where("keyIdentity", "=", keyIdentity)
    .executeTakeFirst();
  return row !== undefined;
}

/** Blocks a public key for ever. Blocking it again changes nothing. */
export async function blockKey(trx: Trx, keyIdentity: string, reason: string, now = new Date()): Promise<void> {
  await trx
    .insertInto("blockedKeys")
    .values({ keyIdentity, reason, createdAt: now })
    .onConflict((conflict) => conflict.column("keyIdentity").doNothing())
    .execute();
}
