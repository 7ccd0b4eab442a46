import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ResetCodeScreen } from "~/components/accounts/reset-code-screen";
import { pageTitle } from "~/components/shell/page-title";
import { getSession } from "~/http/session.server";
import { paths } from "~/lib/paths";
import { loadResetCode, submitResetCode } from "./page.server";

/** Returns the email that was entered on the previous page. Redirects to that page when there is none. */
async function requireEmail(request: Request): Promise<string> {
  const email = (await getSession(request)).get("recoveryEmail");
  if (!email) throw redirect(paths.forgotPassword);
  return email;
}

export async function loader({ request }: LoaderFunctionArgs) {
  return loadResetCode(request, await requireEmail(request), "");
}

export async function action({ request }: ActionFunctionArgs) {
  return submitResetCode(request, await requireEmail(request), "");
}

export default function ResetCode() {
  const answer = useActionData<{ info?: string }>();
  return <ResetCodeScreen {...useLoaderData<typeof loader>()} info={answer?.info} />;
}

export const meta = pageTitle("Password Recovery");
