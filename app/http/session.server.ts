import { randomBytes } from "node:crypto";
import { createCookieSessionStorage, type Session } from "@remix-run/node";
import { type SessionOwner } from "~/domain/accounts/session-user.server";
import { type Toast } from "~/domain/shell";
import { getEnv, requireSecret } from "~/lib/env.server";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { isEndedSession, noteEndedSession } from "~db/repositories/ended-sessions.server";

export interface SessionData {
  /** 128 random bits that name this session: what ends it early is noted under this id. */
  id: string;
  userId: number;
  /** The user's session epoch at login: raising it ends every session of that user. */
  epoch: number;
  /** The administrator who acts as the user, with that account's epoch. */
  impersonator: SessionOwner;
  /** Milliseconds since 1970. */
  startedAt: number;
  seenAt: number;
  csrf: string;
  /** Whose reset code is to be entered. */
  recoveryEmail: string;
  /** The permit for one change of a password, see change-permit.service.server.ts. */
  changePermit: string;
}

export interface SessionFlash {
  toast: Toast;
}

export type PortalSession = Session<SessionData, SessionFlash>;

const HOUR = 3_600_000;
const IDLE = 8 * HOUR;
const ABSOLUTE = 24 * HOUR;
/** `seenAt` is written again only after this long, so that most answers set no cookie. */
const SEEN_STEP = 5 * 60_000;

const getStorage = memoize(() => {
  const { isHttps, sessionSecrets } = getEnv();
  return createCookieSessionStorage<SessionData, SessionFlash>({
    cookie: {
      // The prefix makes browsers refuse a cookie set by a neighbouring host or over plain HTTP.
      name: isHttps ? "__Host-marque" : "marque",
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure: isHttps,
      secrets: requireSecret(sessionSecrets, "SESSION_SECRETS"),
    },
  });
});

export const getSession = (request: Request): Promise<PortalSession> =>
  getStorage().getSession(request.headers.get("Cookie"));

export const commitSession = (session: PortalSession): Promise<string> => getStorage().commitSession(session);

async function noteEnd(session: PortalSession): Promise<void> {
  const id = session.get("id");
  if (id) await noteEndedSession(getDb(), id, new Date(Date.now() + ABSOLUTE));
}

/** Ends the session, also for copies of its cookie. Out: the `Set-Cookie` that removes it. */
export async function endSession(request: Request): Promise<string> {
  const session = await getSession(request);
  await noteEnd(session);
  return getStorage().destroySession(session);
}

/** Ends the session likewise; the next page shows the message. Out: the `Set-Cookie`. */
export async function endSessionWithToast(request: Request, toast: Toast): Promise<string> {
  await endSession(request);
  const session = await getStorage().getSession();
  session.flash("toast", toast);
  return commitSession(session);
}

interface NewSession {
  toast?: Toast;
  /** Makes it a session in which this administrator acts as the user. */
  impersonator?: SessionOwner;
  /** Of a login with a password that is to be changed. */
  changePermit?: string;
  /** When its 24 hours began; now unless it goes on from another session. */
  startedAt?: number;
  now?: number;
}

/** The `Set-Cookie` of a fresh session for this user: nothing of the session before the login is kept. */
export async function startSession(
  user: { id: number; sessionEpoch: number },
  { toast, impersonator, changePermit, now = Date.now(), startedAt = now }: NewSession = {},
): Promise<string> {
  const session = await getStorage().getSession();
  session.set("id", randomBytes(16).toString("base64url"));
  session.set("userId", user.id);
  session.set("epoch", user.sessionEpoch);
  session.set("startedAt", startedAt);
  session.set("seenAt", now);
  session.set("csrf", newCsrfToken(user));
  if (impersonator) session.set("impersonator", impersonator);
  if (changePermit) session.set("changePermit", changePermit);
  if (toast) session.flash("toast", toast);
  return commitSession(session);
}

/**
 * The `Set-Cookie` of a session for this user in place of the request's, which ends, also for copies of its cookie. It lives no
 * longer than that one would have.
 */
export async function replaceSession(
  request: Request,
  user: { id: number; sessionEpoch: number },
  options: Omit<NewSession, "startedAt"> = {},
): Promise<string> {
  const session = await getSession(request);
  await noteEnd(session);
  const startedAt = session.get("startedAt");
  return startSession(user, { ...options, ...(startedAt !== undefined && { startedAt }) });
}

/** It ends with the id of the user whose session it is, if any. */
export const newCsrfToken = (user?: { id: number }) => `${randomBytes(32).toString("base64url")}.${user?.id ?? ""}`;

/** Whether what was given as a token says that it is of the session's user, or of nobody: of a page from before a login. */
export const isOfSameUser = (given: unknown, expected: string | undefined): boolean =>
  typeof given === "string" && expected !== undefined && ["", expected.split(".")[1]].includes(given.split(".")[1]);

/** Whether the session still holds: 8 hours idle, 24 hours in all, and nobody logged out. */
export async function isAlive(session: PortalSession, now = Date.now()): Promise<boolean> {
  const startedAt = session.get("startedAt") ?? 0;
  const seenAt = session.get("seenAt") ?? 0;
  if (now - startedAt >= ABSOLUTE || now - seenAt >= IDLE) return false;
  return !(await isEndedSession(getDb(), session.get("id") ?? ""));
}

/** Notes that the session is in use. Out: whether the cookie must be set again. */
export function touch(session: PortalSession, now = Date.now()): boolean {
  if (!session.has("userId") || now - (session.get("seenAt") ?? 0) < SEEN_STEP) return false;
  session.set("seenAt", now);
  return true;
}
