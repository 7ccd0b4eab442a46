import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ResetCodeScreen } from "~/components/accounts/reset-code-screen";
import { pageTitle } from "~/components/shell/page-title";
import { codeOf, emailOf, loadResetCode, submitResetCode } from "./_public.reset-code/page.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  return loadResetCode(request, emailOf(params.email), codeOf(params.token));
}

export async function action({ request, params }: ActionFunctionArgs) {
  return submitResetCode(request, emailOf(params.email), codeOf(params.token));
}

export default function ResetCodeLink() {
  const answer = useActionData<{ info?: string }>();
  return <ResetCodeScreen {...useLoaderData<typeof loader>()} info={answer?.info} />;
}

export const meta = pageTitle("Password Recovery");
