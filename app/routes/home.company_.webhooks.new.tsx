import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { pageTitle } from "~/components/shell/page-title";
import { NewWebhook } from "~/components/webhooks/new-webhook";
import { type ShownWebhookSecret } from "~/domain/webhooks/endpoints.service.server";
import { requireUser } from "~/http/guard.server";
import { makeWebhook, newWebhookPage } from "./home.company_.webhooks._index/webhooks.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return newWebhookPage(request, user);
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return makeWebhook(request, user);
}

export default function NewWebhookPage() {
  return <NewWebhook shown={useActionData<{ shown?: ShownWebhookSecret }>()?.shown} />;
}

export const meta = pageTitle("New webhook");
