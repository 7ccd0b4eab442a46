import { randomBytes } from "node:crypto";
import { type Client } from "~/domain/security-events/client";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { findTicket, insertApiToken, takeTicket } from "~db/repositories/api-tokens.server";
import { findCompanyId } from "~db/repositories/companies.server";
import { endSessions, findSession } from "~db/repositories/sessions.server";
import { hashOf } from "~db/repositories/tokens.server";
import { type Proof, type Row } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { type SessionUser } from "../session-user";
import { findUserOf, impersonatorIn, ownerIn, type SessionOwner } from "../session-user.server";
import { storeSession } from "../sessions/sessions.server";

/** The lifetimes of access tokens and tickets, in seconds. */
export const TOKEN_SECONDS = 8 * 60 * 60;
export const TICKET_SECONDS = 60;

/** The account for which a token makes calls, and the administrator who acts as it. */
export interface TokenOwner {
  owner: SessionOwner;
  impersonator: SessionOwner | undefined;
}

/** Who gets a token. */
export interface NewHolder extends TokenOwner {
  client: Client;
  /** With what the user proved just now who they are. Null when an administrator acts as the user. */
  proof?: Proof | null;
}

export interface TokenHolder extends TokenOwner {
  session: Row<"sessions">;
  user: SessionUser;
  /** Whether the person works in another company now than the one for which the token was issued. */
  isElsewhere: boolean;
}

const randomText = () => randomBytes(32).toString("base64url");

/**
 * Returns the id of the company for which a token or ticket was issued: the number at its end, which cannot be changed because only the hash
 * of the whole text is known. A token of an earlier version has none.
 */
const companyOf = (plain: string): number | null => {
  const [, id] = /\.(\d{1,10})$/.exec(plain) ?? [];
  return id === undefined ? null : Number(id);
};

/** The administrator's own token and session. A token with which the administrator acts as a user ends with them. */
export interface ActingBy {
  token: string;
  sessionId: string | null;
}

interface New {
  kind: Row<"apiTokens">["kind"];
  plain: string;
  expiresAt: Date;
  sessionId?: string | null;
  parentHash?: string;
}

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000);

async function issue(db: DbOrTrx, { plain, ...more }: New, { owner, impersonator }: TokenOwner): Promise<string> {
  await insertApiToken(db, {
    ...more,
    tokenHash: hashOf(plain),
    userId: owner.id,
    epoch: owner.epoch,
    impersonatorId: impersonator?.id ?? null,
    impersonatorEpoch: impersonator?.epoch ?? null,
  });
  return plain;
}

/** Returns until when an access token is valid. A token with which an administrator acts as a user ends with the administrator's own. */
async function endOf(by: ActingBy | undefined, now: Date): Promise<Date> {
  if (!by) return after(now, TOKEN_SECONDS);
  const parent = await findSession(getDb(), hashOf(by.token));
  return parent ? new Date(parent.expiresAt) : now;
}

/**
 * Issues an access token of 256 random bits for eight hours, with its session, and stores only its hash. It ends with the sessions of its
 * account (LOG-10), and names the company in which its person works now. A token with which an administrator acts as a user also ends with
 * the administrator's own token.
 */
export async function issueAccessToken(
  { client, proof = null, ...owner }: NewHolder,
  by?: ActingBy,
  now = new Date(),
): Promise<string> {
  const plain = `${randomText()}.${await findCompanyId(getDb(), owner.owner.id)}`;
  const expiresAt = await endOf(by, now);
  const parent = by && { parentHash: hashOf(by.token), sessionId: by.sessionId };
  const session = { ...owner, id: hashOf(plain), kind: "program", client, proof, startedAt: now, expiresAt } as const;
  await inTransaction(async (trx) => {
    await issue(trx, { kind: "bearer", plain, expiresAt, ...parent }, owner);
    await storeSession(trx, session, now);
  });
  return plain;
}

/**
 * Issues a ticket for one download within a minute, so that no address contains a long-lived token. The ticket contains the hash of the
 * access token that it was made with, and ends with that token.
 */
export function issueTicket(owner: TokenOwner, token: string, now = new Date()): Promise<string> {
  const parts = [randomText(), hashOf(token), companyOf(token) ?? []].flat();
  return issue(getDb(), { kind: "ticket", plain: parts.join("."), expiresAt: after(now, TICKET_SECONDS) }, owner);
}

/** Returns the hash of the access token with which a ticket was made. */
const bearerOf = (ticket: string) => ticket.split(".")[1] ?? "";

/** Returns who calls with the access token that has this hash and was issued for this company, or null. */
async function findHolder(tokenHash: string, companyId: number | null, now: Date): Promise<TokenHolder | null> {
  const session = await findSession(getDb(), tokenHash);
  const user = session?.kind === "program" ? await findUserOf(session, now) : null;
  const isElsewhere = companyId !== null && user?.companyId !== companyId;
  return (
    session && user && { owner: ownerIn(session), impersonator: impersonatorIn(session), session, user, isElsewhere }
  );
}

/**
 * Returns who calls with this access token. Returns null when the token is unknown or has expired, when the account is disabled, or when
 * its sessions have ended.
 */
export const findTokenHolder = (token: string, now = new Date()): Promise<TokenHolder | null> =>
  findHolder(hashOf(token), companyOf(token), now);

/** Returns who may download with this ticket, or null. Does not use it up. */
export const findTicketHolder = async (ticket: string, now = new Date()): Promise<TokenHolder | null> =>
  (await findTicket(getDb(), hashOf(ticket), now)) ? findHolder(bearerOf(ticket), companyOf(ticket), now) : null;

/** Returns who may download with this ticket, or null, and uses it up. */
export const redeemTicket = async (ticket: string, now = new Date()): Promise<TokenHolder | null> =>
  (await takeTicket(getDb(), hashOf(ticket), now)) ? findHolder(bearerOf(ticket), companyOf(ticket), now) : null;

/**
 * Ends an access token, its tickets, and the tokens with which its administrator acts as a user. Does nothing when there is no such token.
 */
export async function revokeAccessToken(token: string, now = new Date()): Promise<void> {
  await endSessions(getDb(), [hashOf(token)], "logout", now);
}
