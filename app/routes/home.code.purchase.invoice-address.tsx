import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { CodeInvoicePage } from "~/components/codes/purchase/invoice-page";
import { stepMeta } from "~/components/purchase/wizard-texts";
import { loadInvoice, submitInvoiceAddress } from "~/http/code-purchase.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  return loadInvoice({ request, user });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  return submitInvoiceAddress({ request, context, user });
}

export default function InvoiceAddress() {
  return <CodeInvoicePage />;
}

export const meta = stepMeta("codes", "invoice-address");
