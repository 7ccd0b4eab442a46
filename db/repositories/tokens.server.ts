import { createHash, randomBytes } from "node:crypto";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type Row, type TokenPurpose } from "../tables";

export const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

export interface NewToken {
  purpose: TokenPurpose;
  email: string;
  userId?: number;
  certificateId?: number;
  adminId?: number;
  orderId?: number;
  /** The session in which the token is made. */
  sessionId?: string | null;
  lifetimeMs: number;
  /** Number of random bytes: 32 by default, fewer only for tokens that people type. */
  bytes?: number;
}

/** Stores a token that the caller has made. Only its hash is stored. */
export async function storeToken(
  trx: Trx,
  plain: string,
  { lifetimeMs, ...token }: Omit<NewToken, "bytes">,
  now: Date,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  await trx
    .insertInto("tokens")
    .values({ ...token, tokenHash: hashOf(plain), createdAt: now, expiresAt })
    .execute();
}

/** Creates the token of a single-use link, with 256 random bits by default. Returns the token in base64url. */
export async function issueToken(trx: Trx, { bytes = 32, ...token }: NewToken, now = new Date()): Promise<string> {
  const plain = randomBytes(bytes).toString("base64url");
  await storeToken(trx, plain, token, now);
  return plain;
}

/**
 * Returns the token if it was issued for this purpose, or one of these purposes, and is neither used nor expired. Otherwise returns null.
 */
export async function findToken(
  db: DbOrTrx,
  purpose: TokenPurpose | readonly TokenPurpose[],
  plain: string,
  now = new Date(),
): Promise<Row<"tokens"> | null> {
  const row = await db
    .selectFrom("tokens")
    .selectAll()
    .where("tokenHash", "=", hashOf(plain))
    .where("purpose", "in", [purpose].flat())
    .where("usedAt", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Returns the token if it was issued for this purpose, even if it is used, ended or expired. Otherwise returns null. The result proves no
 * right.
 */
export async function findEndedToken(db: DbOrTrx, purpose: TokenPurpose, plain: string): Promise<Row<"tokens"> | null> {
  const query = db.selectFrom("tokens").selectAll().where("tokenHash", "=", hashOf(plain));
  return (await query.where("purpose", "=", purpose).executeTakeFirst()) ?? null;
}

/** Returns the newest token of an account for this purpose that is neither used nor expired, or null. */
export async function findTokenOf(
  db: DbOrTrx,
  userId: number,
  purpose: TokenPurpose,
  now = new Date(),
): Promise<Row<"tokens"> | null> {
  const row = await db
    .selectFrom("tokens")
    .selectAll()
    .where("userId", "=", userId)
    .where("purpose", "=", purpose)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Marks the token as used. Returns false when it was used before, so that only one caller continues. */
export async function consumeToken(trx: Trx, id: number, now = new Date()): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("tokens")
    .set({ usedAt: now })
    .where("id", "=", id)
    .where("usedAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends the unused tokens of an account for these purposes early. Returns how many. */
export async function endTokensOf(
  trx: Trx,
  userId: number,
  purposes: readonly TokenPurpose[],
  now = new Date(),
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable("tokens")
    .set({ usedAt: now })
    .where("userId", "=", userId)
    .where("purpose", "in", purposes)
    .where("usedAt", "is", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Ends the unused tokens about a certificate for this purpose early. */
export async function endTokensAbout(
  trx: Trx,
  certificateId: number,
  purpose: TokenPurpose,
  now = new Date(),
): Promise<void> {
  await trx
    .updateTable("tokens")
    .set({ usedAt: now })
    .where("certificateId", "=", certificateId)
    .where("purpose", "=", purpose)
    .where("usedAt", "is", null)
    .execute();
}

/** Changes when the open token about a certificate expires. Returns false when there is none. */
export async function renewTokenOf(
  db: DbOrTrx,
  purpose: TokenPurpose,
  certificateId: number,
  expiresAt: Date,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("tokens")
    .set({ expiresAt })
    .where("purpose", "=", purpose)
    .where("certificateId", "=", certificateId)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
