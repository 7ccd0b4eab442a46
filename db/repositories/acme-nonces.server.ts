import { type DbOrTrx } from "../connection.server";

export async function insertAcmeNonce(db: DbOrTrx, nonce: string, expiresAt: Date): Promise<void> {
  await db.insertInto("acmeNonces").values({ nonce, expiresAt }).execute();
}

/** Uses a nonce up. Returns false when it is unknown, was used before, or has expired: of two requests with one nonce, one succeeds. */
export async function takeAcmeNonce(db: DbOrTrx, nonce: string, now: Date): Promise<boolean> {
  const query = db.deleteFrom("acmeNonces").where("nonce", "=", nonce).where("expiresAt", ">", now.toISOString());
  const { numDeletedRows } = await query.executeTakeFirst();
  return numDeletedRows === 1n;
}
