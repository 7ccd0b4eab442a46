import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import {
  consolidateAccounts,
  type Consolidated,
  findConsolidationRules,
  loadConsolidation,
  prepareConsolidation,
} from "~/domain/accounts/consolidation/consolidation.service.server";
import { consolidationValidator } from "~/domain/accounts/consolidation/validators";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { type Toast } from "~/domain/shell";
import { landingOf } from "~/http/duties.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { findUser, requireSession } from "~/http/guard.server";
import { loggedInCookies } from "~/http/known-device.server";
import { mayChangeOwn } from "~/http/password-permit.server";
import { targetOf } from "~/http/redirects";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { endSessionWithToast, replaceSession } from "~/http/session.server";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import { FORM } from "./form";

const LOG_IN_AGAIN: Toast = {
  kind: "warn",
  text: "Please log in again to choose a new password. It can be chosen for 30 minutes after a login, in the browser that logged in last.",
};

/**
 * Returns the logged-in user whose email has several accounts, and redirects everybody else. An administrator who acts as the user merges
 * no accounts.
 */
async function requireSeveralAccounts(request: Request): Promise<SessionUser> {
  const user = await requireSession(request);
  if (!user.hasSeveralAccounts || user.impersonator) throw redirect(landingOf(user, targetOf(request)));
  const needsPermit = user.emailVerified && user.passwordAge === "expired";
  if (!needsPermit || (await mayChangeOwn(request, user))) return user;
  // An expired password can be changed only soon after a login, not in a session that was left open.
  const cookie = await endSessionWithToast(request, LOG_IN_AGAIN);
  throw redirect(paths.login(serverPaths.consolidateUsers(targetOf(request))), {
    status: 303,
    headers: { "Set-Cookie": cookie },
  });
}

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireSeveralAccounts(request);
  return json({
    ...(await loadConsolidation(user)),
    email: user.email,
    isVerified: user.emailVerified,
    target: targetOf(request),
  });
}

/** Redirects to the next duty or to the requested page. A new password has ended every session, so this browser gets a new one. */
async function goOn(request: Request, { id }: SessionUser, { merged, sessionEpoch }: Consolidated) {
  const count = merged > 0 ? ` Accounts merged: ${merged}.` : ""; // 0 when a second click or another window has already merged them
  const toast: Toast = { kind: "ok", text: `User details successfully updated.${count}` };
  const after = await (sessionEpoch === null ? findUser(request) : findSessionUser({ id, epoch: sessionEpoch }));
  const target = targetOf(request);
  const next = after ? landingOf(after, target) : target;
  if (sessionEpoch === null) return redirectWithToast(request, next, toast);
  const user = { id, sessionEpoch };
  const session = await replaceSession(request, user, { toast });
  return redirect(next, { status: 303, headers: await loggedInCookies(request, user, session) });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireSeveralAccounts(request);
  const submitted = await readForm(request);
  const isConfirmed = submitted.get("confirmed") === "yes";
  const rules = await findConsolidationRules(user);
  // The confirmation contains no password: prepareConsolidation has checked and stored it.
  const form = await consolidationValidator(isConfirmed ? { ...rules, passwordMinLength: null } : rules).validate(
    submitted,
  );
  if (form.error) return invalid(form.error, form.submittedData);
  if (submitted.has("back")) return typedAgain(form.submittedData, FORM);
  try {
    if (!isConfirmed) return json({ asked: await prepareConsolidation(user, form.data) });
    return await goOn(request, user, await consolidateAccounts(user, form.data));
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
}
