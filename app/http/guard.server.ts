import { redirect } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser, isEndedByNewPassword } from "~/domain/accounts/session-user.server";
import { paths } from "~/lib/paths";
import { dutyOf, landingOf } from "./duties";
import { redirectWithToast } from "./flash.server";
import { endSessionWithToast, getSession, isAlive } from "./session.server";
import { keepUnsent } from "./unsent-form.server";

export type RequiredRight = "Applicant" | "Admin";

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
const PASSWORD_CHANGED_ELSEWHERE =
  "You have been logged out. The password of your account was changed in another browser: please log in with the new one.";
const KEPT = "What you typed is kept: log in to go on.";
export const NOT_SAVED = "What you typed was not saved.";

/** Whether the request's session has ended because another browser changed the password. */
export async function hasNewPassword(request: Request): Promise<boolean> {
  const session = await getSession(request);
  const owner = { id: session.get("userId") ?? 0, epoch: session.get("epoch") ?? -1 };
  return isEndedByNewPassword(owner, new Date(session.get("startedAt") ?? 0));
}

/** Ends a session that holds no more: to the root route (LOG-08, 401), with the words for it, and to `page` after the next login. */
export async function leaveEndedSession(request: Request, page: string, more = "") {
  const why = (await hasNewPassword(request)) ? PASSWORD_CHANGED_ELSEWHERE : LOGGED_OUT;
  const text = [why, more].filter(Boolean).join(" ");
  const cookie = await endSessionWithToast(request, { kind: "warn", text });
  return redirect(paths.loginAtRoot(page), { headers: { "Set-Cookie": cookie } });
}

/**
 * Any signed-in user. Anonymous: to login and back afterwards; a session that ended: logged out, to the root route (LOG-07, LOG-08, 401), with the
 * words for it, and back in the same way, with what a form had. Whoever sends a form without a session has logged out in another window; they come back to its page.
 */
export async function requireSession(request: Request): Promise<SessionUser> {
  const user = await findUser(request);
  if (user) return user;
  const owner = (await getSession(request)).get("userId");
  const isForm = request.method !== "GET";
  if (owner !== undefined) {
    const kept = isForm ? await keepUnsent(request, owner, pageOf(request)) : null;
    throw await leaveEndedSession(request, kept ?? pageOf(request), kept ? KEPT : isForm ? NOT_SAVED : "");
  }
  if (!isForm) throw redirect(paths.login(pageOf(request)));
  const cookie = await endSessionWithToast(request, { kind: "warn", text: `${LOGGED_OUT} ${NOT_SAVED}` });
  throw redirect(paths.login(pageOf(request)), { headers: { "Set-Cookie": cookie } });
}

/** To the dashboard, with the words for who may open the page. The root route would lead there and lose them. */
export const refusePage = (request: Request, whose: string) =>
  redirectWithToast(request, paths.dashboard, { kind: "warn", text: `This page is for ${whose}.` });

/**
 * First line of every loader and action under /home: a signed-in user with no duty left (several accounts, an expired
 * password, missing details) and with the right. Without the right: to the dashboard (DSH-03), which says so.
 */
export async function requireUser(request: Request, right?: RequiredRight): Promise<SessionUser> {
  const user = await requireSession(request);
  if (dutyOf(user)) throw redirect(landingOf(user, pageOf(request)));
  if (right === "Admin" && !user.isAdmin) throw await refusePage(request, "staff");
  if (right === "Applicant" && !user.isApplicant) throw await refusePage(request, "accounts with the right Applicant");
  return user;
}
