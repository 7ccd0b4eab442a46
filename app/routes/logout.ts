import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { recordActingEnded } from "~/domain/accounts/administration/impersonation.service.server";
import { readForm } from "~/http/forms.server";
import { findUser } from "~/http/guard.server";
import { endSession } from "~/http/session.server";
import { paths } from "~/lib/paths";

/** Log out is a POST: a link on another page must not do it. It ends an administrator's acting as a user, and their own login. */
export async function action({ request }: ActionFunctionArgs) {
  await readForm(request);
  const user = await findUser(request);
  if (user) await recordActingEnded(user);
  return redirect(paths.login(), { status: 303, headers: { "Set-Cookie": await endSession(request) } });
}

export const loader = () => redirect(paths.root);

// With a boundary of its own a refused form is answered with a page; Remix answers it with bare JSON otherwise.
export { ErrorBoundary, meta } from "~/components/shell/error-boundary";
