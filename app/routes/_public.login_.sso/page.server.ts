import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { authorisationUrl } from "~/domain/accounts/single-sign-on/provider.server";
import { SignOnRefused } from "~/domain/accounts/single-sign-on/refusals";
import { beginSignOn, type ConfirmingSession } from "~/domain/accounts/single-sign-on/sign-on-request.server";
import { requireSession } from "~/http/guard.server";
import { targetOf } from "~/http/redirects";
import { commitSession, getSession } from "~/http/session.server";
import { guardSignOn, refusedSignOn } from "~/http/single-sign-on.server";
import { paths } from "~/lib/paths";

/** The longest address of a page that the cookie of the browser keeps during the login. */
const LONGEST_TARGET = 1500;

/** Returns the session whose user confirms who they are, or null when the request is a login. Nobody confirms for somebody else. */
async function confirmingIn(request: Request): Promise<ConfirmingSession | null> {
  if (new URL(request.url).searchParams.get("confirm") !== "yes") return null;
  const { id: userId, sessionId, impersonator } = await requireSession(request);
  if (sessionId === null || impersonator) throw redirect(targetOf(request));
  return { userId, sessionId };
}

/** Sends the browser to the identity provider, and keeps in its cookie what the answer must contain. */
export async function loader({ request }: LoaderFunctionArgs) {
  const settings = await guardSignOn(request);
  const confirming = await confirmingIn(request);
  const target = targetOf(request);
  try {
    const wanted = target.length > LONGEST_TARGET ? paths.dashboard : target;
    const kept = await beginSignOn(wanted, confirming);
    const url = await authorisationUrl(settings, kept, confirming !== null);
    const session = await getSession(request);
    session.set("signOn", kept);
    return redirect(url, { headers: { "Set-Cookie": await commitSession(session), "Cache-Control": "no-store" } });
  } catch (error) {
    return refusedSignOn(request, error, target, error instanceof SignOnRefused);
  }
}
