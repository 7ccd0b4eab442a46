import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "~/components/shell/page-title";
import { DeliveryPage } from "~/components/webhooks/delivery-page";
import { requireUser } from "~/http/guard.server";
import { deliveryPage, sendAgain } from "./home.company_.webhooks._index/webhooks.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return deliveryPage(user, params.id, params.delivery);
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return sendAgain(request, user, params);
}

export default function WebhookDelivery() {
  return <DeliveryPage {...useLoaderData<typeof loader>()} />;
}

export const meta = pageTitle<typeof loader>(({ data }) => data?.delivery.event ?? "Delivery");
