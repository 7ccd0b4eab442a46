import { redirect } from "@remix-run/node";
import { type Toast } from "~/domain/shell";
import { commitSession, getSession } from "./session.server";

/** Redirects (303) to a page that shows the message once, and to the card that shows it. */
export async function redirectWithToast(request: Request, url: string, toast: Toast) {
  const session = await getSession(request);
  session.flash("toast", toast);
  return redirect(toast.at ? `${url}#${toast.at}` : url, {
    status: 303,
    headers: { "Set-Cookie": await commitSession(session) },
  });
}
