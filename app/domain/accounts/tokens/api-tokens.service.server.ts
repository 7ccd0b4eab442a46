import { randomBytes } from "node:crypto";
import { getDb } from "~db/connection.server";
import { deleteBearer, findApiToken, insertApiToken, takeTicket } from "~db/repositories/api-tokens.server";
import { isEndedSession } from "~db/repositories/ended-sessions.server";
import { hashOf } from "~db/repositories/tokens.server";
import { type Row } from "~db/tables";
import { type SessionUser } from "../session-user";
import { findSessionUser, type SessionOwner } from "../session-user.server";

/** The lifetimes of access tokens and tickets, in seconds. */
export const TOKEN_SECONDS = 8 * 60 * 60;
export const TICKET_SECONDS = 60;

/** The account for which a token makes calls, and the administrator who acts as it. */
export interface TokenOwner {
  owner: SessionOwner;
  impersonator: SessionOwner | undefined;
}

export interface TokenHolder extends TokenOwner {
  user: SessionUser;
}

const randomText = () => randomBytes(32).toString("base64url");

/** The administrator's own token and session. A token with which the administrator acts as a user ends with them. */
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
 * Issues an access token of 256 random bits for eight hours and stores only its hash. It ends with the sessions of its account (LOG-10). A
 * token with which an administrator acts as a user also ends with the administrator's own token.
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
 * Issues a ticket for one download within a minute, so that no address contains a long-lived token. The ticket contains the hash of the
 * access token that it was made with, and ends with that token.
 */
export const issueTicket = (owner: TokenOwner, token: string, now = new Date()): Promise<string> =>
  issue({ kind: "ticket", plain: `${randomText()}.${hashOf(token)}`, expiresAt: after(now, TICKET_SECONDS) }, owner);

/** Returns whether the session of a token is still open; true for a token without a session. */
const isOpen = async ({ sessionId }: Row<"apiTokens">): Promise<boolean> =>
  sessionId === null || !(await isEndedSession(getDb(), sessionId));

/** Returns the ticket's row when its access token is still valid, else null. */
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

/**
 * Returns who calls with this access token. Returns null when the token is unknown or has expired, when the account is disabled, or when
 * its sessions have ended.
 */
export const findTokenHolder = async (token: string, now = new Date()): Promise<TokenHolder | null> =>
  holderOf(await findApiToken(getDb(), "bearer", hashOf(token), now), now);

/** Returns who may download with this ticket, or null. Does not use it up. */
export const findTicketHolder = async (ticket: string, now = new Date()): Promise<TokenHolder | null> =>
  holderOf(await withToken(ticket, await findApiToken(getDb(), "ticket", hashOf(ticket), now), now), now);

/** Returns who may download with this ticket, or null, and uses it up. */
export const redeemTicket = async (ticket: string, now = new Date()): Promise<TokenHolder | null> =>
  holderOf(await withToken(ticket, await takeTicket(getDb(), hashOf(ticket), now), now), now);

/** Ends an access token and the tickets that were made with it. Does nothing when there is no such token. */
export const revokeAccessToken = (token: string): Promise<void> => deleteBearer(getDb(), hashOf(token));
