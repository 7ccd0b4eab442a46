import { randomBytes } from "node:crypto";
import { getDb } from "~db/connection.server";
import { deleteBearer, findApiToken, insertApiToken, takeTicket } from "~db/repositories/api-tokens.server";
import { isEndedSession } from "~db/repositories/ended-sessions.server";
import { hashOf } from "~db/repositories/tokens.server";
import { type Row } from "~db/tables";
import { type SessionUser } from "../session-user";
import { findSessionUser, type SessionOwner } from "../session-user.server";

/** How long a token and a ticket hold, in seconds. */
export const TOKEN_SECONDS = 8 * 60 * 60;
export const TICKET_SECONDS = 60;

/** Whose calls a token makes: an account, and the administrator who acts as it. */
export interface TokenOwner {
  owner: SessionOwner;
  impersonator: SessionOwner | undefined;
}

export interface TokenHolder extends TokenOwner {
  user: SessionUser;
}

const randomText = () => randomBytes(32).toString("base64url");

/** What a token ends with, while an administrator acts as the user: the administrator's own token and session. */
export interface ActingBy {
  token: string;
  sessionId: string | null;
}

interface New {
  kind: "bearer" | "ticket";
  plain: string;
  expiresAt: Date;
  sessionId?: string | null;
  parentHash?: string;
}

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000);

async function issue({ plain, ...more }: New, { owner, impersonator }: TokenOwner): Promise<string> {
  await insertApiToken(getDb(), {
    ...more,
    tokenHash: hashOf(plain),
    userId: owner.id,
    epoch: owner.epoch,
    impersonatorId: impersonator?.id ?? null,
    impersonatorEpoch: impersonator?.epoch ?? null,
  });
  return plain;
}

/**
 * Issues an access token of 256 random bits for eight hours; only its hash is stored. It ends with the sessions of its account (decisions
 * §7), and one with which an administrator acts as a user no later than the administrator's own token.
 */
export async function issueAccessToken(owner: TokenOwner, by?: ActingBy, now = new Date()): Promise<string> {
  const token = { kind: "bearer", plain: randomText(), expiresAt: after(now, TOKEN_SECONDS) } as const;
  if (!by) return issue(token, owner);
  const parentHash = hashOf(by.token);
  const parent = await findApiToken(getDb(), "bearer", parentHash, now);
  const expiresAt = parent ? new Date(parent.expiresAt) : now;
  return issue({ ...token, expiresAt, parentHash, sessionId: by.sessionId }, owner);
}

/**
 * A ticket for one download within a minute, so that no address carries a token that lives for hours. It names the access token that it
 * was made with by its hash, and ends with it.
 */
export const issueTicket = (owner: TokenOwner, token: string, now = new Date()): Promise<string> =>
  issue({ kind: "ticket", plain: `${randomText()}.${hashOf(token)}`, expiresAt: after(now, TICKET_SECONDS) }, owner);

/** Whether the token's session is open still; true for a token without one. */
const isOpen = async ({ sessionId }: Row<"apiTokens">): Promise<boolean> =>
  sessionId === null || !(await isEndedSession(getDb(), sessionId));

/** A ticket whose access token is there still. */
async function withToken(ticket: string, row: Row<"apiTokens"> | null, now: Date): Promise<Row<"apiTokens"> | null> {
  const token = row && (await findApiToken(getDb(), "bearer", ticket.split(".")[1] ?? "", now));
  return token && (await isOpen(token)) ? row : null;
}

async function holderOf(row: Row<"apiTokens"> | null, now: Date): Promise<TokenHolder | null> {
  if (!row || !(await isOpen(row))) return null;
  const { userId, epoch, impersonatorId, impersonatorEpoch } = row;
  const owner = { id: userId, epoch };
  const impersonator = impersonatorId === null ? undefined : { id: impersonatorId, epoch: impersonatorEpoch ?? -1 };
  const user = await findSessionUser(owner, impersonator, now);
  return user && { owner, impersonator, user };
}

/** Who calls with this access token; null when it is unknown or over, or its account was disabled or its sessions ended. */
export const findTokenHolder = async (token: string, now = new Date()): Promise<TokenHolder | null> =>
  holderOf(await findApiToken(getDb(), "bearer", hashOf(token), now), now);

/** Who may download with this ticket; it can be used still. */
export const findTicketHolder = async (ticket: string, now = new Date()): Promise<TokenHolder | null> =>
  holderOf(await withToken(ticket, await findApiToken(getDb(), "ticket", hashOf(ticket), now), now), now);

/** The same, and the ticket is used up. */
export const redeemTicket = async (ticket: string, now = new Date()): Promise<TokenHolder | null> =>
  holderOf(await withToken(ticket, await takeTicket(getDb(), hashOf(ticket), now), now), now);

/** Ends an access token before its time, with the tickets that were made with it; nothing happens when there is none. */
export const revokeAccessToken = (token: string): Promise<void> => deleteBearer(getDb(), hashOf(token));
