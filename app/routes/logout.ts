import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { readForm } from "~/http/forms.server";
import { endSession } from "~/http/session.server";
import { paths } from "~/lib/paths";

/** Log out is a POST: a link on another page must not do it. */
export async function action({ request }: ActionFunctionArgs) {
  await readForm(request);
  return redirect(paths.login(), { status: 303, headers: { "Set-Cookie": await endSession(request) } });
}

export const loader = () => redirect(paths.root);
