import { randomBytes } from "node:crypto";
import { createCookieSessionStorage, type Session } from "@remix-run/node";
import { continuedProof } from "~/domain/accounts/factors/step-up.server";
import { type SessionOwner } from "~/domain/accounts/session-user.server";
import { isStale, staleBefore } from "~/domain/accounts/sessions/sessions.policy";
import { storeSession } from "~/domain/accounts/sessions/sessions.server";
import { type SignOnRequest } from "~/domain/accounts/single-sign-on/sign-on-request.server";
import { type Toast } from "~/domain/shell";
import { getEnv, requireSecret } from "~/lib/env.server";
import { logError } from "~/lib/log.server";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { endSessions, findSession, storeSessionUse } from "~db/repositories/sessions.server";
import { type Proof, type Row, type SessionEnd, type SignOnStrength } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { clientOf } from "./client.server";
import { cookieName } from "./cookie-name.server";

/** The content of the cookie. Whether the session is valid, and whose it is, says the row with its id (`db/tables/accounts.ts`). */
export interface SessionData {
  /** 128 random bits that identify this session. */
  id: string;
  /** The user of the session, for whom a form is kept that is sent after its end. */
  userId: number;
  csrf: string;
  /** The email for which a reset code is to be entered. */
  recoveryEmail: string;
  /** The permit for one change of a password, see change-permit.service.server.ts. */
  changePermit: string;
  /** The token of a login that waits for the second factor, see pending-login.server.ts. */
  pendingLogin: string;
  /** The request to the identity provider that this browser began last, see single-sign-on.server.ts. */
  signOn: SignOnRequest;
}

export interface SessionFlash {
  toast: Toast;
  /** The page that shows the message, and until when it does, in milliseconds since 1970. See flash.server.ts. */
  toastFor: { page: string; until: number };
}

export type PortalSession = Session<SessionData, SessionFlash>;

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

/** Returns the row of the request's session, open or not, or null when it has none. */
export async function findSessionRow(request: Request): Promise<Row<"sessions"> | null> {
  const id = (await getSession(request)).get("id");
  return id === undefined ? null : findSession(getDb(), id);
}

/** Ends the request's session, also for copies of its cookie. Does nothing when it has ended already or when there is none. */
export async function closeSession(request: Request, reason: SessionEnd): Promise<void> {
  const id = (await getSession(request)).get("id");
  if (id !== undefined) await endSessions(getDb(), [id], reason, new Date());
}

/** Ends the session, also for copies of its cookie. Returns the `Set-Cookie` header that removes it. */
export async function endSession(request: Request): Promise<string> {
  await closeSession(request, "logout");
  return getStorage().destroySession(await getSession(request));
}

/** Ends the session, also for copies of its cookie, and shows the message on the next page. Returns the `Set-Cookie` header. */
export async function endSessionWithToast(
  request: Request,
  toast: Toast,
  reason: SessionEnd = "logout",
): Promise<string> {
  await closeSession(request, reason);
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
  /** With what the user proved who they are: the password by default. Null when that does not count in this session. */
  proof?: Proof | null;
  /** When that was. Defaults to now. */
  provedAt?: Date;
  /** For a login through the identity provider, how it recognised the user. */
  signedOnWith?: SignOnStrength | null;
  /** When the 24 hours of the session began. Defaults to now; set when the session continues another one. */
  startedAt?: Date;
  now?: Date;
}

/** Returns the `Set-Cookie` header of a new session for this user in the browser of the request. Nothing of an earlier session is kept. */
export async function startSession(
  request: Request,
  user: { id: number; sessionEpoch: number },
  options: NewSession = {},
): Promise<string> {
  const { toast, impersonator, changePermit, proof = "password", provedAt, signedOnWith, now = new Date() } = options;
  const { startedAt = now } = options;
  const id = randomBytes(16).toString("base64url");
  const owner = { id: user.id, epoch: user.sessionEpoch };
  const client = clientOf(request);
  const stored = {
    id,
    kind: "browser",
    owner,
    impersonator,
    client,
    proof,
    provedAt,
    signedOnWith,
    startedAt,
  } as const;
  await inTransaction((trx) => storeSession(trx, stored, now));
  const session = await getStorage().getSession();
  session.set("id", id);
  session.set("userId", user.id);
  session.set("csrf", newCsrfToken(user));
  if (changePermit) session.set("changePermit", changePermit);
  if (toast) session.flash("toast", toast);
  return commitSession(session);
}

type ContinuedSession = Pick<NewSession, "toast" | "impersonator"> & {
  /** What the user proved in this request. */
  given?: Proof;
};

/**
 * Returns the `Set-Cookie` header of a session for this user that replaces the request's session. The replaced session ends, also for
 * copies of its cookie. The new one ends no later than the replaced one would have. What the same user proved in the replaced one counts
 * on; a proof of somebody else does not (`continuedProof`).
 */
export async function replaceSession(
  request: Request,
  user: { id: number; sessionEpoch: number },
  { given, ...options }: ContinuedSession = {},
): Promise<string> {
  const row = await findSessionRow(request);
  await closeSession(request, "continued");
  if (!row) return startSession(request, user, { ...options, proof: null });
  const proof = await continuedProof(row, user.id, given);
  // Whoever comes back from acting as somebody else is still a person of single sign-on.
  const kept = { startedAt: new Date(row.startedAt), signedOnWith: row.signedOnWith };
  const proved = proof ? { proof: proof.by, provedAt: new Date(proof.at) } : { proof: null };
  return startSession(request, user, { ...options, ...proved, ...kept });
}

/** Returns a new CSRF token. It ends with the id of the session's user, if there is one. */
export const newCsrfToken = (user?: { id: number }) => `${randomBytes(32).toString("base64url")}.${user?.id ?? ""}`;

/** Returns the CSRF token and the `Set-Cookie` header of a new session of nobody, for the forms of visitors. */
export async function startVisitorSession(): Promise<{ csrf: string; cookie: string }> {
  const session = await getStorage().getSession();
  const csrf = newCsrfToken();
  session.set("csrf", csrf);
  return { csrf, cookie: await commitSession(session) };
}

/** Returns whether a given token names the session's user, or nobody. A token that names nobody comes from a page opened before a login. */
export const isOfSameUser = (given: unknown, expected: string | undefined): boolean =>
  typeof given === "string" && expected !== undefined && ["", expected.split(".")[1]].includes(given.split(".")[1]);

/** Records the use of a session without delaying the answer, at most every five minutes. */
export function noteUse(request: Request, session: Row<"sessions">, now = new Date()): void {
  if (!isStale(session, now)) return;
  const use = { ...clientOf(request), now };
  storeSessionUse(getDb(), session.id, use, staleBefore(now)).catch((error: unknown) => logError(error, { request }));
}
