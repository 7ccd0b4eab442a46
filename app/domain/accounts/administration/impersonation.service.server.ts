import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { getDb, type DbOrTrx } from "~db/connection.server";
import { consumeToken, findToken, issueToken } from "~db/repositories/tokens.server";
import { inTransaction } from "~db/transaction.server";
import { type SessionUser } from "../session-user";
import { AUTH_STRING_LIFETIME_MS } from "./impersonation.policy";
import { requireAccount } from "./user-administration.service.server";

/** The account that an administrator acts as. The session is started with it. */
export interface ActedAs {
  id: number;
  sessionEpoch: number;
  /** The administrator's session that asked for this, or null when it was not a session. */
  sessionId: string | null;
}

/**
 * Creates an authString with which this administrator, and nobody else, can log in as the user once within a minute. Throws a PortalError
 * when the account does not allow it, for example because it is an administrator's, disabled or merged.
 */
export const mintAuthString = (
  userId: number,
  admin: SessionUser,
  { now = new Date() }: { now?: Date } = {},
): Promise<string> =>
  inTransaction(async (trx) => {
    const { email } = await requireAccount(trx, "log-in-as", userId, admin.actor, { now });
    const token = { purpose: "login-as-user", email, userId, adminId: admin.id, sessionId: admin.sessionId } as const;
    const authString = await issueToken(trx, { ...token, lifetimeMs: AUTH_STRING_LIFETIME_MS }, now);
    const entry = { event: "account.acting-allowed", message: "Asked to log in as this user.", userId };
    await recordAudit(trx, { actor: admin.actor, ...entry }, now);
    return authString;
  });

export interface Attempt {
  userId: number;
  authString: string;
}

async function findOwn(db: DbOrTrx, { userId, authString }: Attempt, admin: SessionUser, now: Date) {
  const token = await findToken(db, "login-as-user", authString, now);
  return token?.userId === userId && token.adminId === admin.id ? token : null;
}

/** Returns whether this administrator could use the authString now. Does not use it up. */
export const isUsable = async (attempt: Attempt, admin: SessionUser, now = new Date()): Promise<boolean> =>
  (await findOwn(getDb(), attempt, admin, now)) !== null;

export const DEAD_LINK = "This link can no longer be used.";

const actorOf = (user: { id: number; email: string }, admin: SessionUser): Actor => ({
  ...admin.actor,
  id: user.id,
  name: user.email,
  impersonatorId: admin.id,
});

/**
 * Uses up an authString and returns the account to act as. Throws a PortalError when the authString is unknown, used, older than a minute,
 * another administrator's or for another account, or when the account no longer allows it.
 */
export const redeemAuthString = (attempt: Attempt, admin: SessionUser, now = new Date()): Promise<ActedAs> =>
  inTransaction(async (trx) => {
    const token = await findOwn(trx, attempt, admin, now);
    if (!token) throw new PortalError(DEAD_LINK, { code: "account.auth-string" });
    const user = await requireAccount(trx, "log-in-as", attempt.userId, admin.actor, { now });
    if (!(await consumeToken(trx, token.id, now))) throw new PortalError(DEAD_LINK, { code: "account.auth-string" });
    const entry = { event: "account.acting-started", message: "An administrator logged in as this user." };
    await recordAudit(trx, { actor: actorOf(user, admin), ...entry, userId: user.id }, now);
    return { id: user.id, sessionEpoch: user.sessionEpoch, sessionId: token.sessionId };
  });

/** Records that the administrator no longer acts as this user. Does nothing when no administrator acts as the user. */
export async function recordActingEnded({ id: userId, actor, impersonator }: SessionUser, now = new Date()) {
  if (!impersonator) return;
  const entry = { event: "account.acting-ended", message: "The administrator stopped acting as this user." };
  await inTransaction((trx) => recordAudit(trx, { actor, ...entry, userId }, now));
}
