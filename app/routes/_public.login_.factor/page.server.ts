import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { proveByPasskey, startPasskeyUse } from "~/domain/accounts/factors/passkeys.service.server";
import {
  actorOf,
  findPendingLogin,
  kindsOf,
  PENDING_ENDED,
  type PendingLogin,
} from "~/domain/accounts/factors/pending-login.server";
import { proveByCode } from "~/domain/accounts/factors/prove.service.server";
import { factorCodeValidator as validator } from "~/domain/accounts/factors/validators";
import { finishLogin } from "~/domain/accounts/login.service.server";
import { clientOf, noteUser } from "~/http/client.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { findUser } from "~/http/guard.server";
import { originOf } from "~/http/known-device.server";
import { logIn } from "~/http/log-in.server";
import { answerWithOptions, asksForOptions, passkeyAnswerIn } from "~/http/passkeys.server";
import { targetOf } from "~/http/redirects";
import { invalid, refused } from "~/http/responses.server";
import { getSession } from "~/http/session.server";
import { paths } from "~/lib/paths";
import { FORM } from "./form";

/** Returns the login that waits in this browser. Throws a redirect: to the requested page when it is finished, otherwise to the login. */
async function requirePending(request: Request): Promise<PendingLogin> {
  const token = (await getSession(request)).get("pendingLogin");
  const pending = await findPendingLogin(token);
  if (pending) return pending;
  if (await findUser(request)) throw redirect(targetOf(request));
  const login = paths.login(targetOf(request));
  throw token === undefined
    ? redirect(login)
    : await redirectWithToast(request, login, { kind: "warn", text: PENDING_ENDED });
}

export async function loader({ request }: LoaderFunctionArgs) {
  const { user, isSignOn } = await requirePending(request);
  return json({ kinds: await kindsOf(user.id), isSignOn });
}

export async function action({ request }: ActionFunctionArgs) {
  const pending = await requirePending(request);
  const sent = await readForm(request);
  const { id, user } = pending;
  const prover = { userId: user.id, actor: actorOf(user, clientOf(request)) };
  noteUser(request, { id: user.id, actor: prover.actor, impersonator: null });
  const holder = `login ${id}`;
  if (asksForOptions(sent)) return answerWithOptions(() => startPasskeyUse(prover, holder), FORM);
  const answer = passkeyAnswerIn(sent);
  if (answer !== null) return finish(request, pending, () => proveByPasskey(prover, holder, answer));
  const form = await validator.validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  return finish(request, pending, () => proveByCode(prover, form.data.code));
}

/** Finishes the login when `prove` accepts the second factor. Otherwise the page comes back with the error. */
async function finish(
  request: Request,
  pending: PendingLogin,
  prove: () => ReturnType<typeof proveByCode>,
): Promise<Response> {
  try {
    const loggedIn = await finishLogin(pending, await prove(), { origin: await originOf(request) });
    return await logIn(request, loggedIn, targetOf(request));
  } catch (error) {
    return refused(error, {}, FORM);
  }
}
