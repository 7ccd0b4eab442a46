import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { InvoicePage } from "~/components/purchase/invoice-page";
import { stepMeta } from "~/components/purchase/wizard-texts";
import { loadInvoiceStep, submitInvoiceStep } from "~/http/invoice-step.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  return loadInvoiceStep({ request, user, wizard: "renew" });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  return submitInvoiceStep({ request, context, user, wizard: "renew" });
}

export default function InvoiceAddress() {
  return <InvoicePage wizard="renew" />;
}

export const meta = stepMeta("renew", "invoice-address");
