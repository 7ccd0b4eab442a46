import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { readForm, sentFields } from "~/http/forms.server";
import { isOwnForm } from "~/http/origin.server";
import { safeRedirect } from "~/http/redirects";
import { rememberTheme } from "~/http/theme.server";
import { paths } from "~/lib/paths";

/**
 * Stores the chosen colours and redirects to the page where they were chosen. Stored pages have no CSRF token, so it is enough when the
 * browser says that a page of the portal sent the form: it changes nothing but the visitor's cookie of colours.
 */
export async function action({ request }: ActionFunctionArgs) {
  const form = isOwnForm(request) ? new Map(await sentFields(request)) : await readForm(request);
  return redirect(safeRedirect(form.get("returnTo")), {
    status: 303,
    headers: { "Set-Cookie": await rememberTheme(form.get("theme")) },
  });
}

export const loader = () => redirect(paths.root);

// With its own boundary, a refused form is answered with a page. Otherwise Remix would answer with bare JSON.
export { ErrorBoundary, meta } from "~/components/shell/error-boundary";
