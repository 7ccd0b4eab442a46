import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { chooseCompany } from "~/domain/companies/own-companies.service.server";
import { landingOf } from "~/http/duties.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { findUser, requireSession } from "~/http/guard.server";
import { noteRefusal } from "~/http/noted-refusals.server";
import { safeRedirect } from "~/http/redirects";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

/**
 * Chooses the company in which the user works from now on. Leads to the page in the field `to`, which belongs to that company, or to the
 * dashboard, because pages of the other company are not theirs.
 */
export async function action({ request }: ActionFunctionArgs) {
  const user = await requireSession(request);
  const form = await readForm(request);
  const [sent, to] = [form.get("company"), form.get("to")];
  try {
    const name = await chooseCompany(user, readId(typeof sent === "string" ? sent : undefined));
    const target = to === null ? paths.dashboard : safeRedirect(to);
    const chosen = (await findUser(request)) ?? user; // the details of the chosen company may be missing
    return await redirectWithToast(request, landingOf(chosen, target), {
      kind: "ok",
      text: `You work for ${name} now.`,
    });
  } catch (error) {
    if (!isPortalError(error)) throw error;
    noteRefusal(request, error);
    const text = error.status === 404 ? "You are not a member of this company." : error.message;
    return redirectWithToast(request, paths.dashboard, { kind: "warn", text });
  }
}

export const loader = () => redirect(paths.root);

// With its own boundary, a refused form is answered with a page. Otherwise Remix would answer with bare JSON.
export { ErrorBoundary, meta } from "~/components/shell/error-boundary";
