import { redirect } from "@remix-run/node";
import { fulfils, isStaff, type Requirement, rightsFor } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findUserOf } from "~/domain/accounts/session-user.server";
import { findCompanyLeft } from "~/domain/companies/own-companies.service.server";
import { isCompanyTask, lacksApplicant, roleNamesFor } from "~/domain/companies/roles.policy";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import { type SessionEnd } from "~db/tables";
import { withClient } from "./client.server";
import { comesBefore, type Duty, dutyOf, landingOf } from "./duties.server";
import { redirectWithToast } from "./flash.server";
import { noteEvent } from "./noted-refusals.server";
import { requestedPage } from "./redirects";
import { endSessionWithToast, findSessionRow, getSession, noteUse } from "./session.server";
import { isFilledAgain, keepUnsent } from "./unsent-form.server";

/** Returns for whom a page is. Staff learn which rights open it, and members which roles. */
function audienceOf(user: SessionUser, needed: Requirement): string {
  if (isCompanyTask(needed))
    return lacksApplicant(user, needed)
      ? "accounts with the right Applicant"
      : `members of your company with the role ${roleNamesFor(needed)}`;
  return isStaff(user) ? `staff with the right ${rightsFor(needed)}` : "staff";
}

async function readOpenSession(request: Request) {
  const session = await findSessionRow(request);
  const user = session && (await findUserOf(session));
  return user && { session, user };
}

/**
 * What the loaders of a page have read, by the id of their request. An AsyncLocalStorage would make every promise of the process three times
 * as expensive on Node 20.
 */
const pages = new Map<string, { open?: ReturnType<typeof readOpenSession> }>();

/**
 * Begins a page that changes nothing. Until its end, the session and its user are read once for all loaders of this request, which therefore
 * show the same state. Returns what ends it.
 */
export function beginPage(requestId: string): () => void {
  pages.set(requestId, {});
  return () => void pages.delete(requestId);
}

async function findOpenSession(request: Request) {
  const page = pages.get(request.headers.get("x-marque-request") ?? "");
  const open = await (page ? (page.open ??= readOpenSession(request)) : readOpenSession(request));
  return open && { session: open.session, user: withClient(open.user, request) };
}

/** Returns the logged-in user, or null. A session that is no longer valid (ended, too old, account disabled) counts as none. */
export async function findUser(request: Request): Promise<SessionUser | null> {
  const open = await findOpenSession(request);
  if (open) noteUse(request, open.session);
  return open?.user ?? null;
}

/** Finds the user of a request that is refused, so that its security event names them. The session does not count as used. */
export const identifyUser = async (request: Request): Promise<void> => void (await findOpenSession(request));

export const LOGGED_OUT = "You have been logged out.";
const KEPT = "What you typed is kept: log in to continue.";
export const NOT_SAVED = "What you typed was not saved.";

/** What a user is told in addition when the session has ended for one of these reasons. */
const WHY_ENDED: Partial<Record<SessionEnd, string>> = {
  password: "The password of your account was changed in another browser: please log in with the new one.",
  email: "The email address of your account was changed in another browser: please log in with the new one.",
  factor: "Your account got a second factor in another browser: please log in with it.",
  owner: "This session was ended from another one of your account.",
  groups: "Your groups at the identity provider give you no right of staff any more.",
  administrator: "An administrator has ended the sessions of your account.",
  restored: "The portal was restored from a backup, which ended all sessions.",
};

/** Returns whether the request's session has ended because the password was changed in another browser. */
export const hasNewPassword = async (request: Request): Promise<boolean> =>
  (await findSessionRow(request))?.endReason === "password";

/**
 * Ends a session that is no longer valid. Returns a redirect to the root route with a message (LOG-08, 401), and to `page` after the next
 * login.
 */
export async function leaveEndedSession(request: Request, page: string, more = "") {
  const reason = (await findSessionRow(request))?.endReason;
  const text = [LOGGED_OUT, reason && WHY_ENDED[reason], more].filter(Boolean).join(" ");
  const cookie = await endSessionWithToast(request, { kind: "warn", text }, "expired");
  return redirect(serverPaths.loginAtRoot(page), { headers: { "Set-Cookie": cookie } });
}

/**
 * Returns the logged-in user, and redirects everybody else (LOG-07, LOG-08, 401). Anonymous users go to the login page and return
 * afterwards. Users whose session has ended go to the root route with a message, return in the same way, and find the fields of their form
 * filled in. A user who sends a form without a session has logged out in another window and returns to the page of the form.
 */
export async function requireSession(request: Request): Promise<SessionUser> {
  const user = await findUser(request);
  if (user) return user;
  const owner = (await getSession(request)).get("userId");
  const isForm = request.method !== "GET";
  if (owner !== undefined) {
    noteEvent(request, "session.refused", "The session had ended.", owner);
    const kept = isForm ? await keepUnsent(request, owner, requestedPage(request)) : null;
    throw await leaveEndedSession(request, kept ?? requestedPage(request), kept ? KEPT : isForm ? NOT_SAVED : "");
  }
  if (!isForm) throw redirect(paths.login(requestedPage(request)));
  const cookie = await endSessionWithToast(request, { kind: "warn", text: `${LOGGED_OUT} ${NOT_SAVED}` });
  throw redirect(paths.login(requestedPage(request)), { headers: { "Set-Cookie": cookie } });
}

/** Returns the logged-in user for the page of a duty. Throws a redirect to the page of a duty that comes before it. */
export async function requireUserFor(request: Request, page: Duty): Promise<SessionUser> {
  const user = await requireSession(request);
  const first = dutyOf(user);
  if (first && comesBefore(first, page)) throw redirect(landingOf(user, requestedPage(request)));
  return user;
}

/**
 * Returns the logged-in user for a page about the account itself. It opens for somebody who is no longer a member of their company, too,
 * before they have entered the details of another one. Everybody else is treated as `requireUser` does.
 */
export async function requireAccountHolder(request: Request): Promise<SessionUser> {
  const user = await requireUserFor(request, "missingDetails");
  if (user.hasDetailsMissing && (await findCompanyLeft(user)) === null)
    throw redirect(landingOf(user, requestedPage(request)));
  return user;
}

/**
 * Redirects to the dashboard with a message that says who may open the page.
 */
export const refusePage = (request: Request, whose: string) => {
  noteEvent(request, "access.refused", `The page is for ${whose}.`);
  const changed = isFilledAgain(request.url)
    ? " Your rights have changed since you sent the form. Nothing was changed."
    : "";
  return redirectWithToast(request, paths.dashboard, { kind: "warn", text: `This page is for ${whose}.${changed}` });
};

/**
 * Returns the logged-in user who has no duty left (several accounts, an expired password, missing details) and has what the page
 * needs. This is the first line of every loader and action under /home. Other users are redirected to the dashboard with a message
 * (DSH-03).
 */
export async function requireUser(request: Request, needed?: Requirement): Promise<SessionUser> {
  const user = await requireSession(request);
  if (dutyOf(user)) throw redirect(landingOf(user, requestedPage(request)));
  if (needed && !fulfils(user, needed)) throw await refusePage(request, audienceOf(user, needed));
  return user;
}
