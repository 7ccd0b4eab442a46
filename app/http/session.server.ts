import { randomBytes } from "node:crypto";
import { createCookieSessionStorage, type Session } from "@remix-run/node";
import { type SessionOwner } from "~/domain/accounts/session-user.server";
import { type Toast } from "~/domain/shell";
import { getEnv, requireSecret } from "~/lib/env.server";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { isEndedSession, noteEndedSession } from "~db/repositories/ended-sessions.server";
import { cookieName } from "./cookie-name.server";

export interface SessionData {
  /** 128 random bits that identify this session. An early end is recorded under this id. */
  id: string;
  userId: number;
  /** The user's session epoch at login. Raising it ends every session of that user. */
  epoch: number;
  /** The administrator who acts as the user, with the epoch of the administrator's account. */
  impersonator: SessionOwner;
  /** Milliseconds since 1970. */
  startedAt: number;
  seenAt: number;
  csrf: string;
  /** The email for which a reset code is to be entered. */
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
/** `seenAt` is updated only after this time in milliseconds, so that most answers set no cookie. */
const SEEN_STEP = 5 * 60_000;

const getStorage = memoize(() => {
  const { isHttps, sessionSecrets } = getEnv();
  return createCookieSessionStorage<SessionData, SessionFlash>({
    cookie: {
      name: cookieName("marque"),
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

/** Ends the session, also for copies of its cookie. Returns the `Set-Cookie` header that removes it. */
export async function endSession(request: Request): Promise<string> {
  const session = await getSession(request);
  await noteEnd(session);
  return getStorage().destroySession(session);
}

/** Ends the session, also for copies of its cookie, and shows the message on the next page. Returns the `Set-Cookie` header. */
export async function endSessionWithToast(request: Request, toast: Toast): Promise<string> {
  await endSession(request);
  const session = await getStorage().getSession();
  session.flash("toast", toast);
  return commitSession(session);
}

interface NewSession {
  toast?: Toast;
  /** The administrator who acts as the user in this session. */
  impersonator?: SessionOwner;
  /** The permit of a login with a password that must be changed. */
  changePermit?: string;
  /** When the 24 hours of the session began. Defaults to now; set when the session continues another one. */
  startedAt?: number;
  now?: number;
}

/** Returns the `Set-Cookie` header of a new session for this user. Nothing of an earlier session is kept. */
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
 * Returns the `Set-Cookie` header of a session for this user that replaces the request's session. The replaced session ends, also for
 * copies of its cookie. The new one ends no later than the replaced one would have.
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

/** Returns a new CSRF token. It ends with the id of the session's user, if there is one. */
export const newCsrfToken = (user?: { id: number }) => `${randomBytes(32).toString("base64url")}.${user?.id ?? ""}`;

/** Returns whether a given token names the session's user, or nobody. A token that names nobody comes from a page opened before a login. */
export const isOfSameUser = (given: unknown, expected: string | undefined): boolean =>
  typeof given === "string" && expected !== undefined && ["", expected.split(".")[1]].includes(given.split(".")[1]);

/** Returns whether the session is still valid: used within 8 hours, started within 24 hours, and not ended early, such as by a logout. */
export async function isAlive(session: PortalSession, now = Date.now()): Promise<boolean> {
  const startedAt = session.get("startedAt") ?? 0;
  const seenAt = session.get("seenAt") ?? 0;
  if (now - startedAt >= ABSOLUTE || now - seenAt >= IDLE) return false;
  return !(await isEndedSession(getDb(), session.get("id") ?? ""));
}

/** Records that the session is in use. Returns whether the cookie must be set again. */
export function touch(session: PortalSession, now = Date.now()): boolean {
  if (!session.has("userId") || now - (session.get("seenAt") ?? 0) < SEEN_STEP) return false;
  session.set("seenAt", now);
  return true;
}
