import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "~/components/shell/page-title";
import { WebhookList } from "~/components/webhooks/webhook-list";
import { listWebhooksFor } from "~/domain/webhooks/webhook-views.service.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return json({ webhooks: await listWebhooksFor(user), mayChange: user.impersonator === null });
}

/** The webhooks of the company in which the user works. */
export default function Webhooks() {
  return <WebhookList {...useLoaderData<typeof loader>()} />;
}

export const meta = pageTitle("Webhooks");
