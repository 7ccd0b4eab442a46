import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { recordActingEnded } from "~/domain/accounts/administration/impersonation.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { impersonatorIn } from "~/domain/accounts/session-user.server";
import { type Toast } from "~/domain/shell";
import { readForm } from "~/http/forms.server";
import { requireSession } from "~/http/guard.server";
import { findSessionRow, replaceSession } from "~/http/session.server";
import { paths } from "~/lib/paths";

/** Returns the `Set-Cookie` header of the administrator's own session, or null when nobody acts as the user of the request. */
async function endActing(request: Request, user: SessionUser, toast: Toast): Promise<string | null> {
  const session = await findSessionRow(request);
  const impersonator = session && impersonatorIn(session);
  if (!impersonator) return null;
  await recordActingEnded(user);
  return replaceSession(request, { id: impersonator.id, sessionEpoch: impersonator.epoch }, { toast });
}

/** Ends acting as a user. The administrator's session was checked together with the user's, including epoch and rights. */
export async function action({ request }: ActionFunctionArgs) {
  const user = await requireSession(request);
  await readForm(request);
  const text = `You no longer act as ${user.firstName} ${user.lastName}.`;
  const cookie = await endActing(request, user, { kind: "ok", text });
  if (!cookie) return redirect(paths.dashboard, 303);
  return redirect(paths.user(user.id), { status: 303, headers: { "Set-Cookie": cookie } });
}

export const loader = () => redirect(paths.root);

// With its own boundary, a refused form is answered with a page. Otherwise Remix would answer with bare JSON.
export { ErrorBoundary, meta } from "~/components/shell/error-boundary";
