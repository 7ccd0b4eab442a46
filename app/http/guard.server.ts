import { redirect } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { paths } from "~/lib/paths";
import { dutyOf, landingOf } from "./duties";
import { endSessionWithToast, getSession, isAlive } from "./session.server";

export type Right = "Applicant" | "Admin";

/** The signed-in user, or null. A session that no longer holds (epoch raised, disabled, too old) counts as none. */
export async function findUser(request: Request): Promise<SessionUser | null> {
  const session = await getSession(request);
  const id = session.get("userId");
  if (!id || !(await isAlive(session))) return null;
  return findSessionUser({ id, epoch: session.get("epoch") ?? -1 }, session.get("impersonator"));
}

/** The page that was asked for; for a form that was sent the page that has it, which is at the same address. What Remix adds is left out. */
function pageOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  const isOurs = (part: string) => part !== "" && part !== "index" && !part.startsWith("_data=");
  const query = search.slice(1).split("&").filter(isOurs).join("&");
  return query ? `${pathname}?${query}` : pathname;
}

export const LOGGED_OUT = "You have been logged out.";
export const NOT_SAVED = "What you typed was not saved.";

/**
 * Any signed-in user. Anonymous: to login and back afterwards; a session that ended: logged out, to the root route (A §8, 401), with the
 * words for it, and back likewise. Whoever sends a form without a session has logged out in another window; they come back to its page.
 */
export async function requireSession(request: Request): Promise<SessionUser> {
  const user = await findUser(request);
  if (user) return user;
  const hadSession = (await getSession(request)).has("userId");
  const isForm = request.method !== "GET";
  if (!hadSession && !isForm) throw redirect(paths.login(pageOf(request)));
  const text = isForm ? `${LOGGED_OUT} ${NOT_SAVED}` : LOGGED_OUT;
  const cookie = await endSessionWithToast(request, { kind: "warn", text });
  throw redirect((hadSession ? paths.loginAtRoot : paths.login)(pageOf(request)), {
    headers: { "Set-Cookie": cookie },
  });
}

/**
 * First line of every loader and action under /home: a signed-in user with no duty left (several accounts, an expired
 * password, missing details) and with the right. Without the right: to the root route (A §6).
 */
export async function requireUser(request: Request, right?: Right): Promise<SessionUser> {
  const user = await requireSession(request);
  if (dutyOf(user)) throw redirect(landingOf(user, pageOf(request)));
  if ((right === "Admin" && !user.isAdmin) || (right === "Applicant" && !user.isApplicant)) throw redirect(paths.root);
  return user;
}
