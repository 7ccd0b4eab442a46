import { redirect } from "@remix-run/node";
import { type Toast } from "~/domain/shell";
import { paths } from "~/lib/paths";
import { commitSession, getSession } from "./session.server";

/** Redirects (303) to a page that shows the message once. */
export async function redirectWithToast(request: Request, url: string, toast: Toast) {
  const session = await getSession(request);
  session.flash("toast", toast);
  return redirect(url, { status: 303, headers: { "Set-Cookie": await commitSession(session) } });
}

/**
 * Redirects to the certificate list, or to a page of it, with a message about a certificate that is missing, belongs to somebody else, or
 * has no CSR.
 */
export const noSuchCertificate = (request: Request, list: string = paths.certificates) =>
  redirectWithToast(request, list, {
    kind: "warn",
    text: "There is no such certificate, or it is not yours.",
  });
