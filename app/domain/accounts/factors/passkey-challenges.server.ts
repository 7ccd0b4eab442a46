import { getDb } from "~db/connection.server";
import { consumeToken, findEndedToken, hashOf, issueToken } from "~db/repositories/tokens.server";
import { type TokenPurpose } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { type SessionUser } from "../session-user";
import { CHALLENGE_MINUTES } from "./factors.policy";
import { type Prover } from "./prove.service.server";
import { type FactorRefusal } from "./refusals";

type Purpose = Extract<TokenPurpose, "passkey-add" | "passkey-use">;

/** Returns how challenges name the session of a user. */
export const sessionHolder = ({ sessionId }: SessionUser): string => `session ${sessionId ?? ""}`;

/** The column is too short for the names of all holders, so it has the first 160 bits of their hash. */
const storedHolder = (holder: string) => hashOf(holder).slice(0, 40);

/**
 * Returns a new challenge in base64url, which counts once within five minutes, for this account and holder.
 *
 * @param holder The session or waiting login that the challenge is for.
 */
export const issueChallenge = (
  purpose: Purpose,
  { userId, actor }: Prover,
  holder: string,
  now: Date,
): Promise<string> => {
  const lifetimeMs = CHALLENGE_MINUTES * 60_000;
  const token = { purpose, userId, email: actor.name, sessionId: storedHolder(holder), lifetimeMs };
  return inTransaction((trx) => issueToken(trx, token, now));
};

/** Uses up a challenge. Returns null, or why it does not count. */
export async function consumeChallenge(
  purpose: Purpose,
  { userId }: Prover,
  holder: string,
  challenge: string,
  now: Date,
): Promise<FactorRefusal | null> {
  const token = await findEndedToken(getDb(), purpose, challenge);
  if (token?.userId !== userId || token.sessionId !== storedHolder(holder)) return "foreign";
  if (token.usedAt !== null) return "used-answer";
  if (Date.parse(token.expiresAt) <= now.getTime()) return "old";
  return (await inTransaction((trx) => consumeToken(trx, token.id, now))) ? null : "used-answer";
}
