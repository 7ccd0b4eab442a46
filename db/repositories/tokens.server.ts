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
  sessionId?: string;
  lifetimeMs: number;
  /** Random bytes of it: 32, less only for what people type. */
  bytes?: number;
}

/** Makes a single-use link's token of 256 random bits; only its hash is stored. Out: the token, base64url. */
export async function issueToken(
  trx: Trx,
  { lifetimeMs, bytes = 32, ...token }: NewToken,
  now = new Date(),
): Promise<string> {
  const plain = randomBytes(bytes).toString("base64url");
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  await trx
    .insertInto("tokens")
    .values({ ...token, tokenHash: hashOf(plain), createdAt: now, expiresAt })
    .execute();
  return plain;
}

/** The token if it is known for this purpose, or one of these, unused and not expired; else null. */
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

/** The newest token of an account for this purpose that is unused and not expired; else null. */
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

/** Uses the token up. Out: false when it was used before, so that only one caller goes on. */
export async function consumeToken(trx: Trx, id: number, now = new Date()): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("tokens")
    .set({ usedAt: now })
    .where("id", "=", id)
    .where("usedAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends the unused tokens of an account for these purposes, before their time. Out: how many. */
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

/** Gives the open token about a certificate another end. Returns false when there is none. */
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
