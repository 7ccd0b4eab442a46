import { redirect } from "@remix-run/node";
import { type Toast } from "~/domain/shell";
import { requestedPage } from "./redirects";
import { commitSession, getSession, type PortalSession } from "./session.server";

/** How long a message waits for its page. A browser that is closed before opens the page much later, and the message would be old. */
const WAITS_MS = 60_000;

/** Returns the page of an address of the portal as `requestedPage` returns it for a request to that address. */
const pageAt = (url: string): string => requestedPage({ url: new URL(url, "http://portal.invalid").href });

/**
 * Puts a message into a session for the page to which the answer redirects. Only this page shows it, not one that another tab loads at the
 * same time.
 */
export function flashToast(session: PortalSession, url: string, toast: Toast, now = Date.now()): void {
  session.flash("toast", toast);
  session.flash("toastFor", { page: pageAt(url), until: now + WAITS_MS });
}

/**
 * Takes the message for the requested page out of the session. Returns null when there is none. A message for another page stays in the
 * session. A message without a page, from the beginning or the end of a session, is for the next page.
 */
export function takeToast(session: PortalSession, request: Request, now = Date.now()): Toast | null {
  const toast = session.get("toast") ?? null;
  const toastFor = session.get("toastFor");
  if (!toast || !toastFor || (toastFor.page === requestedPage(request) && now < toastFor.until)) return toast;
  session.flash("toast", toast);
  session.flash("toastFor", toastFor);
  return null;
}

/** Redirects (303) to a page that shows the message once, and to the card that shows it. */
export async function redirectWithToast(request: Request, url: string, toast: Toast) {
  const session = await getSession(request);
  flashToast(session, url, toast);
  return redirect(toast.at ? `${url}#${toast.at}` : url, {
    status: 303,
    headers: { "Set-Cookie": await commitSession(session) },
  });
}

/** Lets the message for a page that redirects further follow to the next page, unless the answer has a message or a session of its own. */
export async function carryToast(request: Request, answer: Response): Promise<void> {
  const next = answer.headers.get("Location");
  if (next === null || answer.headers.has("Set-Cookie") || request.headers.get("Cookie") === null) return;
  const session = await getSession(request);
  const toast = takeToast(session, request);
  if (!toast || new URL(next, request.url).origin !== new URL(request.url).origin) return;
  flashToast(session, next, toast);
  answer.headers.append("Set-Cookie", await commitSession(session));
}
