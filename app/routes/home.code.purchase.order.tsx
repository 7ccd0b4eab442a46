import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { CodeOrderPage } from "~/components/codes/purchase/order-page";
import { stepMeta } from "~/components/purchase/wizard-texts";
import { loadOrder, submitOrder } from "~/http/code-purchase.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  return loadOrder({ request, user });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  return submitOrder({ request, user });
}

export default function Order() {
  return <CodeOrderPage />;
}

export const meta = stepMeta("codes", "order");
