import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { readForm } from "~/http/forms.server";
import { safeRedirect } from "~/http/redirects";
import { rememberTheme } from "~/http/theme.server";
import { paths } from "~/lib/paths";

/** Keeps the choice of colours and goes back to where it was made. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await readForm(request);
  return redirect(safeRedirect(form.get("returnTo")), {
    status: 303,
    headers: { "Set-Cookie": await rememberTheme(form.get("theme")) },
  });
}

export const loader = () => redirect(paths.root);

// With a boundary of its own a refused form is answered with a page; Remix answers it with bare JSON otherwise.
export { ErrorBoundary, meta } from "~/components/shell/error-boundary";
