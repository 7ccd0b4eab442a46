import { randomBytes } from "node:crypto";
import { randomPKCECodeVerifier } from "openid-client";
import { getDb } from "~db/connection.server";
import { consumeToken, findToken, issueToken } from "~db/repositories/tokens.server";
import { type Row } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { PENDING_MINUTES } from "../factors/factors.policy";
import { SignOnRefused } from "./refusals";

/** A request to the identity provider, as the signed cookie of the browser keeps it. */
export interface SignOnRequest {
  /** A token that works once within ten minutes. Only its hash is stored. */
  state: string;
  nonce: string;
  /** The secret of PKCE (RFC 7636). */
  verifier: string;
  /** The page of the portal that opens afterwards. */
  redirectTo: string;
}

/** The session whose user confirms at the provider who they are. */
export interface ConfirmingSession {
  userId: number;
  sessionId: string;
}

/** Begins a login at the identity provider, or a confirmation of who is in the session that is given. Returns what the browser keeps. */
export async function beginSignOn(
  redirectTo: string,
  confirming: ConfirmingSession | null,
  now = new Date(),
): Promise<SignOnRequest> {
  const token = { purpose: "sign-on", email: "", ...confirming, lifetimeMs: PENDING_MINUTES * 60_000 } as const;
  const state = await inTransaction((trx) => issueToken(trx, token, now));
  return { state, nonce: randomBytes(32).toString("base64url"), verifier: randomPKCECodeVerifier(), redirectTo };
}

/**
 * Uses up the request that an answer of the provider belongs to, and returns its token. Throws a SignOnRefused (`state`) when the answer
 * belongs to another browser, was given before, or came too late.
 */
export async function takeSignOn(
  kept: SignOnRequest | undefined,
  state: string | null,
  now = new Date(),
): Promise<Row<"tokens">> {
  if (!kept || kept.state !== state) throw new SignOnRefused("state");
  const token = await findToken(getDb(), "sign-on", state, now);
  if (!token || !(await inTransaction((trx) => consumeToken(trx, token.id, now)))) throw new SignOnRefused("state");
  return token;
}
