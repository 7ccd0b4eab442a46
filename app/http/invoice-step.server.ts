import { json } from "@remix-run/node";
import { completePurchase } from "~/domain/certificates/purchase/completion.service.server";
import { invoiceStep } from "~/domain/certificates/purchase/invoice.service.server";
import { paths } from "~/lib/paths";
import { submitInvoice } from "./invoice-form.server";
import { requireOrder, type StepRequest } from "./purchase-draft.server";

/** What the third step's page shows. */
export async function loadInvoiceStep(step: StepRequest) {
  const order = await requireOrder(step, "invoice-address");
  return json({ draftId: order.draft.id, ...(await invoiceStep(step.user.id, order)) });
}

/** What the third step's form does. */
export async function submitInvoiceStep(step: StepRequest): Promise<Response> {
  const { request, context, user, wizard } = step;
  const order = await requireOrder(step, "invoice-address");
  const { draft } = order;
  return submitInvoice({
    request,
    context,
    userId: user.id,
    draft,
    stepPath: (place) => paths.certificateWizard(wizard, place, draft.id),
    complete: (invoice) => completePurchase(user, order, invoice),
  });
}
