import { redirect } from "@remix-run/node";
import { whyPermitEnded } from "~/domain/accounts/recovery/change-permit.service.server";
import { PASSWORD_CHANGED, RECOVERY_MESSAGES } from "~/domain/accounts/recovery/recovery-messages";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { type Toast } from "~/domain/shell";
import { landingOf } from "~/http/duties.server";
import { flashToast, redirectWithToast } from "~/http/flash.server";
import { findUser, hasNewPassword, leaveEndedSession } from "~/http/guard.server";
import { loggedInCookies } from "~/http/known-device.server";
import { targetOf } from "~/http/redirects";
import { commitSession, getSession, replaceSession } from "~/http/session.server";
import { paths } from "~/lib/paths";

const CHANGED: Toast = { kind: "ok", text: PASSWORD_CHANGED };
const ENDED: Record<"locked" | "over", Toast> = {
  locked: { kind: "warn", text: RECOVERY_MESSAGES.AccountLocked },
  over: { kind: "warn", text: "This page can be used once, soon after the check. Please start again." },
};

async function whyEnded(request: Request): Promise<"locked" | "over"> {
  const permit = (await getSession(request)).get("changePermit");
  return permit ? whyPermitEnded(permit) : "over";
}

/**
 * Redirects a user without a permit to a page where they can get one: the notice about the old password, user management (which asks for
 * the password), or password recovery. After a POST, a message says why the permit is no longer valid.
 */
export async function refuseEntry(request: Request) {
  const user = await findUser(request);
  if (!user && (await hasNewPassword(request))) return leaveEndedSession(request, targetOf(request));
  const isAgeing = user && !user.impersonator && user.passwordAge !== "fresh";
  const url = isAgeing ? paths.passwordExpiry(targetOf(request)) : user ? paths.userManagement : paths.forgotPassword;
  return request.method === "GET" ? redirect(url) : redirectWithToast(request, url, ENDED[await whyEnded(request)]);
}

/**
 * Answers after the password was changed with a reset code. Redirects to the root route, where the user logs in with the new password. When
 * a user is logged in, possibly with another account, redirects to the dashboard.
 */
export async function changedByCode(request: Request) {
  const session = await getSession(request);
  session.unset("changePermit");
  const url = (await findUser(request)) ? paths.dashboard : paths.root;
  flashToast(session, url, CHANGED);
  return redirect(url, { status: 303, headers: { "Set-Cookie": await commitSession(session) } });
}

/**
 * Answers after the logged-in user has changed their password. The session in this browser continues with the new epoch. Redirects to
 * `target`, or to the page of the user's next duty.
 */
export async function changedOwn(request: Request, user: { id: number; sessionEpoch: number }, target: string) {
  const owner = await findSessionUser({ id: user.id, epoch: user.sessionEpoch });
  const session = await replaceSession(request, user, { toast: CHANGED });
  const headers = await loggedInCookies(request, user, session);
  return redirect(owner ? landingOf(owner, target) : target, { status: 303, headers });
}
