import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
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
import { clientOf } from "~/http/client.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { findUser } from "~/http/guard.server";
import { originOf } from "~/http/known-device.server";
import { logIn } from "~/http/log-in.server";
import { targetOf } from "~/http/redirects";
import { invalid, refused } from "~/http/responses.server";
import { getSession } from "~/http/session.server";
import { paths } from "~/lib/paths";

/** Returns the login that waits in this browser. Throws a redirect: to the requested page when it is finished, otherwise to the login. */
async function requirePending(request: Request): Promise<PendingLogin> {
  const token = (await getSession(request)).get("pendingLogin");
  const pending = await findPendingLogin(token);
  if (pending) return pending;
  if (await findUser(request)) throw redirect(targetOf(request));
  const login = paths.login(targetOf(request));
  throw token === undefined ? redirect(login) : await redirectWithToast(request, login, { kind: "warn", text: PENDING_ENDED });
}

export async function loader({ request }: LoaderFunctionArgs) {
  const { user } = await requirePending(request);
  return json({ kinds: await kindsOf(user.id) });
}

export async function action({ request }: ActionFunctionArgs) {
  const pending = await requirePending(request);
  const { user } = pending;
  const form = await validator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const prover = { userId: user.id, actor: actorOf(user, clientOf(request)) };
    const proof = await proveByCode(prover, form.data.code);
    const loggedIn = await finishLogin(pending, proof, { origin: await originOf(request) });
    return await logIn(request, loggedIn, targetOf(request));
  } catch (error) {
    return refused(error, {}, form.formId);
  }
}
