import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { recordActingEnded } from "~/domain/accounts/administration/impersonation.service.server";
import { readForm } from "~/http/forms.server";
import { findUser } from "~/http/guard.server";
import { noteEvent } from "~/http/noted-refusals.server";
import { endSession } from "~/http/session.server";
import { paths } from "~/lib/paths";

/**
 * Logging out is a POST, so that a link on another page cannot do it. When an administrator acts as a user, it also ends the
 * administrator's own session.
 */
export async function action({ request }: ActionFunctionArgs) {
  await readForm(request);
  const user = await findUser(request);
  if (user) {
    await recordActingEnded(user);
    noteEvent(request, "account.logged-out", "Logged out.");
  }
  return redirect(paths.login(), { status: 303, headers: { "Set-Cookie": await endSession(request) } });
}

export const loader = () => redirect(paths.root);

// With its own boundary, a refused form is answered with a page. Otherwise Remix would answer with bare JSON.
export { ErrorBoundary, meta } from "~/components/shell/error-boundary";
