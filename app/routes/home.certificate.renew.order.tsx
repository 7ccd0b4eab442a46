import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { OrderPage } from "~/components/purchase/order-page";
import { stepMeta } from "~/components/purchase/wizard-texts";
import { loadOrderStep, submitOrderStep } from "~/http/order-step.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  return loadOrderStep({ request, user, wizard: "renew" });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  return submitOrderStep({ request, user, wizard: "renew" });
}

export default function Order() {
  return <OrderPage wizard="renew" />;
}

export const meta = stepMeta("renew", "order");
