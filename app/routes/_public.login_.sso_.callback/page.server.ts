import { type LoaderFunctionArgs } from "@remix-run/node";
import { finishSignOn } from "~/domain/accounts/single-sign-on/single-sign-on.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { findUser } from "~/http/guard.server";
import { originOf } from "~/http/known-device.server";
import { continueLogin } from "~/http/log-in.server";
import { getSession } from "~/http/session.server";
import { guardSignOn, refusedSignOn } from "~/http/single-sign-on.server";
import { confirmedToast } from "~/http/step-up.server";
import { paths } from "~/lib/paths";

/** Receives the browser from the identity provider: logs the person in, or confirms who is in the session. */
export async function loader({ request }: LoaderFunctionArgs) {
  const settings = await guardSignOn(request);
  const kept = (await getSession(request)).get("signOn");
  const target = kept?.redirectTo ?? paths.dashboard;
  try {
    const answer = { kept, search: new URL(request.url).search, origin: await originOf(request) };
    const user = await findUser(request);
    const done = await finishSignOn(settings, answer, user);
    if ("login" in done) return await continueLogin(request, done.login, target);
    return await redirectWithToast(request, target, await confirmedToast(target, user));
  } catch (error) {
    return refusedSignOn(request, error, target, false);
  }
}
