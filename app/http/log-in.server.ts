import { redirect } from "@remix-run/node";
import { grantAtLogin } from "~/domain/accounts/recovery/change-permit.service.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { paths } from "~/lib/paths";
import { type LoggedIn } from "./authenticator.server";
import { loggedInCookies } from "./known-device.server";
import { startSession } from "./session.server";

async function loggedInAt(request: Request, url: string, user: LoggedIn, changePermit?: string) {
  const session = await startSession(user, changePermit ? { changePermit } : {});
  return redirect(url, { status: 303, headers: await loggedInCookies(request, user, session) });
}

/**
 * Starts the session after a login and redirects to the requested page. A password that has expired or is about to expire is announced
 * first, and the login permits to change it. Several accounts are merged before that, with a new password where it has expired.
 */
export async function logIn(request: Request, user: LoggedIn, target: string): Promise<Response> {
  const owner = await findSessionUser({ id: user.id, epoch: user.sessionEpoch });
  if (!owner || owner.passwordAge === "fresh") return loggedInAt(request, target, user);
  const permit = await grantAtLogin(owner);
  if (owner.hasSeveralAccounts) return loggedInAt(request, target, user, permit);
  return loggedInAt(request, paths.passwordExpiry(target), user, permit);
}
