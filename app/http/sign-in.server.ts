import { redirect } from "@remix-run/node";
import { grantAtLogin } from "~/domain/accounts/recovery/change-permit.service.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { paths } from "~/lib/paths";
import { type SignedIn } from "./authenticator.server";
import { signedInCookies } from "./known-device.server";
import { startSession } from "./session.server";

async function signedInAt(request: Request, url: string, user: SignedIn, changePermit?: string) {
  const session = await startSession(user, changePermit ? { changePermit } : {});
  return redirect(url, { status: 303, headers: await signedInCookies(request, user, session) });
}

/**
 * Starts the session after a login and redirects to the requested page. A password that has expired or is about to expire is announced
 * first, and the login permits to change it. Several accounts are merged before that, with a new password where it has expired.
 */
export async function signIn(request: Request, user: SignedIn, target: string): Promise<Response> {
  const owner = await findSessionUser({ id: user.id, epoch: user.sessionEpoch });
  if (!owner || owner.passwordAge === "fresh") return signedInAt(request, target, user);
  const permit = await grantAtLogin(owner);
  if (owner.hasSeveralAccounts) return signedInAt(request, target, user, permit);
  return signedInAt(request, paths.passwordExpiry(target), user, permit);
}
