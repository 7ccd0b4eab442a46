import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { pageTitle } from "~/components/shell/page-title";
import { type AskedRemoval, WebhookDetails } from "~/components/webhooks/webhook-details";
import { type ShownWebhookSecret } from "~/domain/webhooks/endpoints.service.server";
import { requireUser } from "~/http/guard.server";
import { changeOne, webhookPage } from "./home.company_.webhooks._index/webhooks.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return webhookPage(request, user, params.id);
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return changeOne(request, user, params.id);
}

export default function Webhook() {
  const answer = useActionData<{ asked?: AskedRemoval; shown?: ShownWebhookSecret }>();
  return <WebhookDetails {...useLoaderData<typeof loader>()} asked={answer?.asked} shown={answer?.shown} />;
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  data ? `Webhook to ${new URL(data.webhook.url).host}` : "Webhook",
);
