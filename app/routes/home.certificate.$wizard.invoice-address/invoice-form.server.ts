import { redirect } from "@remix-run/node";
import { INVOICE_FIELDS, STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { invoiceValidator } from "~/domain/certificates/purchase/validators";
import { type Draft } from "~/domain/drafts/drafts.service.server";
import { typedValues } from "~/domain/drafts/typed-values";
import { type SubmittedInvoice } from "~/domain/orders/draft-completion.server";
import {
  changeCountry,
  listInvoiceCountries,
  saveInvoice,
  type WithInvoice,
} from "~/domain/orders/invoice.service.server";
import { asFormError, intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { invalid, refused } from "~/http/responses.server";
import { type WizardStep } from "~/lib/paths";

/** The request and state of a wizard's invoice step. */
interface InvoiceStep<Data> {
  request: Request;
  /** The request's load context in Remix, for the log. */
  context?: unknown;
  userId: number;
  draft: Draft<Data>;
  /** Returns the address of a step of the draft. */
  stepPath: (step: WizardStep) => string;
  /** Completes the order. Answers with the page of the completed order unless a response is returned, or null because the draft has ended. */
  complete: (invoice: SubmittedInvoice) => Promise<unknown>;
}

/** Whether the page was opened with the link that fills in the address of the last order. */
export const usesLastAddress = ({ url }: Request): boolean => new URL(url).searchParams.get("address") === "last";

/** Completes the order, updates the country, or goes back. The typed values are stored in every case. */
export async function submitInvoice<Data extends WithInvoice>(step: InvoiceStep<Data>): Promise<Response> {
  const { request, context, userId, draft, stepPath } = step;
  const form = await readForm(request);
  const intent = intentOf(form, ["complete", "update-country", "back"]);
  const checked = await invoiceValidator(await listInvoiceCountries()).validate(form);
  const typed = typedValues(checked.submittedData, INVOICE_FIELDS);
  if (intent === "update-country") {
    await changeCountry(userId, draft, typed);
    return redirect(stepPath("invoice-address"), 303);
  }
  if (intent === "back" || checked.error) await saveInvoice(userId, draft, typed);
  if (intent === "back") return redirect(stepPath("order"), 303);
  if (checked.error) return invalid(checked.error, checked.submittedData);
  try {
    const sent = (name: string) => form.getAll(name).find((value) => typeof value === "string") ?? "";
    const [seen, shown] = [sent("orderVersion"), sent("shownAmounts")];
    const acceptsTerms = sent("termsAndConditionsAccepted") === "on";
    const answer = await step.complete({ typed, form: checked.data, seen, shown, acceptsTerms });
    if (answer instanceof Response) return answer;
    // Without an order the draft has ended, such as for somebody who was removed from the company. Its page says so.
    return redirect(stepPath(answer === null ? "invoice-address" : "order-complete"), 303);
  } catch (error) {
    return refused(
      asFormError(error, { request, context, code: "CIA0101E" }),
      checked.submittedData,
      STEP_FORMS.invoice,
    );
  }
}
