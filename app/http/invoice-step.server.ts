import { json, redirect } from "@remix-run/node";
import { typedValues } from "~/domain/certificates/drafts.schema";
import { completePurchase } from "~/domain/certificates/purchase-completion.service.server";
import {
  changeCountry,
  invoiceStep,
  listInvoiceCountries,
  saveInvoice,
} from "~/domain/certificates/purchase-invoice.service.server";
import { INVOICE_FIELDS, STEP_FORMS } from "~/domain/certificates/purchase.fields";
import { invoiceValidator } from "~/domain/certificates/purchase.lazy-validators";
import { paths } from "~/lib/paths";
import { foreseen, intentOf } from "./form-actions.server";
import { readForm } from "./forms.server";
import { requireOrder, type StepRequest } from "./purchase-draft.server";
import { countTry } from "./rate-limit.server";
import { invalid, refused } from "./responses.server";

/** What the third step's page shows. */
export async function loadInvoiceStep(step: StepRequest) {
  const order = await requireOrder(step, "invoice-address");
  return json({ draftId: order.draft.id, ...(await invoiceStep(step.user.id, order)) });
}

/** Completes the order, updates the country, or goes back; what was typed is kept each time. */
export async function submitInvoiceStep(step: StepRequest): Promise<Response> {
  const { request, context, user, wizard } = step;
  const order = await requireOrder(step, "invoice-address");
  const { draft } = order;
  const form = await readForm(request);
  const intent = intentOf(form, ["complete", "update-country", "back"]);
  const checked = await invoiceValidator(await listInvoiceCountries()).validate(form);
  const typed = typedValues(checked.submittedData, INVOICE_FIELDS);
  if (intent === "update-country") {
    await changeCountry(user.id, draft, typed);
    return redirect(paths.certificateWizard(wizard, "invoice-address", draft.id), 303);
  }
  if (intent === "back" || checked.error) await saveInvoice(user.id, draft, typed);
  if (intent === "back") return redirect(paths.certificateWizard(wizard, "order", draft.id), 303);
  if (checked.error) return invalid(checked.error, checked.submittedData);
  try {
    await countTry("vat-account", user.id);
    const seen = form.get("orderVersion");
    await completePurchase(user, order, { typed, form: checked.data, seen: typeof seen === "string" ? seen : "" });
    return redirect(paths.certificateWizard(wizard, "order-complete", draft.id), 303);
  } catch (error) {
    return refused(foreseen(error, { request, context, code: "CIA0101E" }), checked.submittedData, STEP_FORMS.invoice);
  }
}
