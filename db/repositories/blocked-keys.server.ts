import { type DbOrTrx, type Trx } from "../connection.server";

/** Whether this public key is refused for ever, for all customers. In: lower-case hex SHA-256 of its SubjectPublicKeyInfo. */
export async function isKeyBlocked(db: DbOrTrx, publicKeySha256: string): Promise<boolean> {
  const row = await db
    .selectFrom("blockedKeys")
    .select("publicKeySha256")
    .where("publicKeySha256", "=", publicKeySha256)
    .executeTakeFirst();
  return row !== undefined;
}

/** Blocks a public key for ever; blocking it again changes nothing. */
export async function blockKey(trx: Trx, publicKeySha256: string, reason: string, now = new Date()): Promise<void> {
  await trx
    .insertInto("blockedKeys")
    .values({ publicKeySha256, reason, createdAt: now })
    .onConflict((conflict) => conflict.column("publicKeySha256").doNothing())
    .execute();
}
