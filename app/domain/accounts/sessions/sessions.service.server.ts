import { recordAudit } from "~/domain/audit/audit.service.server";
import { noteOthers } from "~/domain/security-events/hidden.server";
import { PortalError } from "~/lib/errors";
import { type DbOrTrx, getDb } from "~db/connection.server";
import {
  endSessions,
  endSessionsOf,
  findSession,
  type ListedSession,
  listOpenSessions,
} from "~db/repositories/sessions.server";
import { inTransaction } from "~db/transaction.server";
import { requireNoImpersonation } from "../administration/impersonation.policy";
import { requireCurrentPassword } from "../security-change.server";
import { type SessionUser } from "../session-user";
import { deviceOf } from "./device";
import { usedSince } from "./sessions.policy";

/** An open session as pages show it. */
export interface SessionView {
  id: string;
  /** A browser's session, or a program's access token. */
  kind: ListedSession["kind"];
  /** Browser and system, or the program, in words. */
  device: string;
  address: string;
  startedAt: string;
  lastUsedAt: string;
  /** Whether the page is shown in this session. */
  isCurrent: boolean;
  /** The account as which this administrator acts in the session, or null. */
  actsAs: string | null;
  /** The administrator who acts as this account in the session, or null. */
  actedBy: string | null;
}

function viewOf(session: ListedSession, userId: number, currentId: string | null): SessionView {
  const { id, kind, userAgent, address, startedAt, lastUsedAt, userEmail, impersonatorEmail } = session;
  return {
    id,
    kind,
    device: deviceOf(userAgent),
    address,
    startedAt,
    lastUsedAt,
    isCurrent: id === currentId,
    actsAs: session.userId === userId ? null : userEmail,
    actedBy: session.userId === userId ? impersonatorEmail : null,
  };
}

/**
 * Returns the open sessions of an account, the one used last first: its own, and those in which it acts as another user or an administrator
 * acts as it.
 *
 * @param currentId The session in which the page is shown, or null.
 */
export async function listSessions(
  userId: number,
  currentId: string | null,
  { db = getDb(), now = new Date() }: { db?: DbOrTrx; now?: Date } = {},
): Promise<SessionView[]> {
  const rows = await listOpenSessions(db, userId, { now, usedAfter: usedSince(now) });
  return rows.map((row) => viewOf(row, userId, currentId));
}

/** Returns the user's own list. Who the administrator is and where from is known to staff only. */
export async function listOwnSessions({ id, sessionId }: SessionUser, now = new Date()): Promise<SessionView[]> {
  const sessions = await listSessions(id, sessionId, { now });
  return sessions.map((session) =>
    session.actedBy === null || session.isCurrent ? session : { ...session, device: "", address: "", actedBy: "" },
  );
}

const OWN = "your sessions";

const gone = () => new PortalError("This session has ended already.", { code: "account.session-gone" });

/** Returns a session of the user that can be ended from another one. Throws a PortalError when there is none. */
export async function requireOtherSession(user: SessionUser, id: string, now = new Date()): Promise<SessionView> {
  requireNoImpersonation(user, OWN);
  const session = (await listOwnSessions(user, now)).find((one) => one.id === id);
  if (!session) {
    const row = await findSession(getDb(), id);
    if (row && ![row.userId, row.impersonatorId].includes(user.id)) noteOthers(user);
    throw gone();
  }
  if (!session.isCurrent) return session;
  throw new PortalError("You are using this session. Log out to end it.", { code: "account.session-current" });
}

const nameOf = ({ device, address, kind }: SessionView) =>
  [kind === "program" ? `the program ${device}` : device, address].filter(Boolean).join(", ");

/**
 * Ends another session of the user and records it in the audit trail. Returns which one it was, in words. Throws a PortalError when the password is wrong (field
 * `currentPassword`), when the session has ended already, when it is the one in use, and (403) when an administrator acts as the user.
 */
export async function endOtherSession(user: SessionUser, id: string, password: string, now = new Date()) {
  const session = await requireOtherSession(user, id, now);
  await requireCurrentPassword(user, password, now);
  const name = nameOf(session) || "an administrator acting as this user";
  await inTransaction(async (trx) => {
    if ((await endSessions(trx, [id], "owner", now)) === 0) throw gone();
    const message = `Ended a session: ${name}.`;
    await recordAudit(trx, { actor: user.actor, event: "account.session-ended", message, userId: user.id }, now);
  });
  return name;
}

/**
 * Ends all sessions of the user except for the one in use, and records it in the audit trail. Returns how many ended. Throws a PortalError
 * when the password is wrong (field `currentPassword`), and (403) when an administrator acts as the user.
 */
export async function endOtherSessions(user: SessionUser, password: string, now = new Date()): Promise<number> {
  requireNoImpersonation(user, OWN);
  await requireCurrentPassword(user, password, now);
  return inTransaction(async (trx) => {
    const ended = await endSessionsOf(trx, [user.id], "owner", { keep: user.sessionId, now });
    const entry = { event: "account.sessions-ended", message: `Ended all other sessions: ${ended}.`, userId: user.id };
    if (ended > 0) await recordAudit(trx, { actor: user.actor, ...entry }, now);
    return ended;
  });
}
