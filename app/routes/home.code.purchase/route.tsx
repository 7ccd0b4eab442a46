import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { WizardFrame } from "~/components/purchase/wizard-frame";
import { whyNotOrder } from "~/domain/orders/order-limit.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  return json({ barrier: whyNotOrder(await requireUser(request, "place-orders")) });
}

export default function Purchase() {
  return <WizardFrame wizard="codes" {...useLoaderData<typeof loader>()} />;
}
