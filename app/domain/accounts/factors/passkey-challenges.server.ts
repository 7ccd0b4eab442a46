import { getDb } from "~db/connection.server";
import { consumeToken, findEndedToken, hashOf, issueToken } from "~db/repositories/tokens.server";
import { type TokenPurpose } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { type SessionUser } from "../session-user";
import { type Prover } from "./prove.service.server";

/** How long a browser has to answer a challenge, in minutes. */
export const CHALLENGE_MINUTES = 5;

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

const FOREIGN = "This answer of a passkey does not belong to this login or session. Please press the button again.";
const USED = "This answer of a passkey was used already. Please press the button again.";
const OLD = `This answer of a passkey came after more than ${CHALLENGE_MINUTES} minutes. Please press the button again.`;

/** Uses up a challenge. Returns null, or why it does not count as a sentence for the user. */
export async function consumeChallenge(
  purpose: Purpose,
  { userId }: Prover,
  holder: string,
  challenge: string,
  now: Date,
): Promise<string | null> {
  const token = await findEndedToken(getDb(), purpose, challenge);
  if (token?.userId !== userId || token.sessionId !== storedHolder(holder)) return FOREIGN;
  if (token.usedAt !== null) return USED;
  if (Date.parse(token.expiresAt) <= now.getTime()) return OLD;
  return (await inTransaction((trx) => consumeToken(trx, token.id, now))) ? null : USED;
}
