import { redirect } from "@remix-run/node";
import { recordActingEnded } from "~/domain/accounts/administration/impersonation.service.server";
import { getOwnFactors } from "~/domain/accounts/factors/factors.service.server";
import { type LoggedIn, type Login } from "~/domain/accounts/login.service.server";
import { grantAtLogin } from "~/domain/accounts/recovery/change-permit.service.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { type Toast } from "~/domain/shell";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import { findUser } from "./guard.server";
import { loggedInCookies } from "./known-device.server";
import { closeSession, commitSession, getSession, startSession } from "./session.server";
import { isFilledAgain } from "./unsent-form.server";

/** Ends the session that the browser held before, of whichever account, also for copies of its cookie. */
async function leaveFormerSession(request: Request): Promise<void> {
  const former = await findUser(request);
  if (former) await recordActingEnded(former);
  await closeSession(request, "new-login");
}

/** Returns the message after a login with a recovery code, which says how many are left. */
async function recoveryCodeUsed(user: LoggedIn): Promise<Toast> {
  const { codesLeft } = await getOwnFactors(user);
  return { kind: "warn", text: `You logged in with a recovery code. Recovery codes that are left: ${codesLeft}.` };
}

const FILLED_AGAIN: Toast = {
  kind: "warn",
  text: "What you typed is in the form again. It is not saved yet.",
};

async function loggedInAt(request: Request, url: string, user: LoggedIn, changePermit?: string) {
  await leaveFormerSession(request);
  const { proof, signedOnWith = null } = user;
  const filledAgain = isFilledAgain(url) ? FILLED_AGAIN : undefined;
  const toast = proof === "recovery-code" ? await recoveryCodeUsed(user) : filledAgain;
  const session = await startSession(request, user, {
    proof,
    signedOnWith,
    ...(changePermit && { changePermit }),
    ...(toast && { toast }),
  });
  return redirect(url, { status: 303, headers: await loggedInCookies(request, user, session) });
}

/**
 * Starts the session after a login, ends the one before and redirects to the requested page. A password that has expired or is about to
 * expire is announced first, and the login permits to change it. Several accounts are merged before that, with a new password where it has
 * expired. Nobody who came by single sign-on is told about the password.
 */
export async function logIn(request: Request, user: LoggedIn, target: string): Promise<Response> {
  const owner = await findSessionUser({ id: user.id, epoch: user.sessionEpoch });
  if (!owner || user.signedOnWith || owner.passwordAge === "fresh") return loggedInAt(request, target, user);
  const permit = await grantAtLogin(owner);
  if (owner.hasSeveralAccounts) return loggedInAt(request, target, user, permit);
  return loggedInAt(request, paths.passwordExpiry(target), user, permit);
}

/** Continues after the right password: with the page of the second factor, where the account has one, otherwise with the session. */
export async function continueLogin(request: Request, login: Login, target: string): Promise<Response> {
  if (!("pending" in login)) return logIn(request, login, target);
  const session = await getSession(request);
  session.set("pendingLogin", login.pending);
  return redirect(serverPaths.loginFactor(target), {
    status: 303,
    headers: { "Set-Cookie": await commitSession(session) },
  });
}
