import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { readForm, sentFields } from "~/http/forms.server";
import { isOwnForm } from "~/http/origin.server";
import { safeRedirect } from "~/http/redirects";
import { isStaleForm } from "~/http/stale-form.server";
import { rememberTheme } from "~/http/theme.server";
import { paths } from "~/lib/paths";

/**
 * Reads the form. That of a stored page has no CSRF token (docs/decisions/0064). It is accepted when the browser says that a page of the
 * portal sent it, because it changes nothing but the visitor's cookie of colours. Throws what `readForm` throws.
 */
async function readChoice(request: Request): Promise<Pick<FormData, "get">> {
  try {
    return await readForm(request);
  } catch (error) {
    const sent = isStaleForm(error) && isOwnForm(request) ? new Map(await sentFields(request)) : null;
    if (sent?.get("csrf") !== "") throw error;
    return { get: (name) => sent.get(name) ?? null };
  }
}

/** Stores the chosen colours and redirects to the page where they were chosen. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await readChoice(request);
  return redirect(safeRedirect(form.get("returnTo")), {
    status: 303,
    headers: { "Set-Cookie": await rememberTheme(form.get("theme")) },
  });
}

export const loader = () => redirect(paths.root);

// With its own boundary, a refused form is answered with a page. Otherwise Remix would answer with bare JSON.
export { ErrorBoundary, meta } from "~/components/shell/error-boundary";
