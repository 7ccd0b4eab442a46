import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { sendVerification } from "~/domain/accounts/verification.service.server";
import { landingOf } from "~/http/duties.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireSession } from "~/http/guard.server";
import { targetOf } from "~/http/redirects";
import { isPortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireSession(request);
  await readForm(request);
  const target = targetOf(request);
  try {
    const sent = await sendVerification(user, target);
    const link = sent?.isAgain ? "A new link" : "A link";
    const text = sent ? `${link} is on its way to ${user.email}.` : "Your email address is confirmed already.";
    return await redirectWithToast(request, landingOf(user, target), { kind: "ok", text });
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return redirectWithToast(request, landingOf(user, target), { kind: "warn", text: error.message });
  }
}

export const loader = () => redirect(paths.dashboard);

// With its own boundary, a refused form is answered with a page. Otherwise Remix would answer with bare JSON.
export { ErrorBoundary, meta } from "~/components/shell/error-boundary";
