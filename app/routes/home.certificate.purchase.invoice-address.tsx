import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/error-summary";
import { Note } from "~/components/note";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { ADDRESS_LABELS } from "~/components/purchase/labels";
import { InvoiceForm } from "~/components/purchase/invoice-form";
import { OrderReview } from "~/components/purchase/order-review";
import { usePrefillProblems } from "~/components/purchase/prefill-problems";
import { typedValues } from "~/domain/certificates/drafts.schema";
import { completePurchase } from "~/domain/certificates/purchase-completion.service.server";
import {
  changeCountry,
  invoiceStep,
  listInvoiceCountries,
  saveInvoice,
} from "~/domain/certificates/purchase-invoice.service.server";
import { INVOICE_FIELDS } from "~/domain/certificates/purchase.fields";
import { invoiceValidator } from "~/domain/certificates/purchase.lazy-validators";
import { foreseen, intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { requireDraft } from "~/http/purchase-draft.server";
import { countTry } from "~/http/rate-limit.server";
import { invalid, refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";

const FORM = "invoice-address";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  const draft = await requireDraft(request, user, "invoice-address");
  return json({ draftId: draft.id, ...(await invoiceStep(user.id, draft)) });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  const draft = await requireDraft(request, user, "invoice-address");
  const form = await readForm(request);
  const intent = intentOf(form, ["complete", "update-country", "back"]);
  const checked = await invoiceValidator(await listInvoiceCountries()).validate(form);
  const typed = typedValues(checked.submittedData, INVOICE_FIELDS);
  if (intent === "update-country") {
    await changeCountry(user.id, draft, typed);
    return redirect(paths.certificatePurchase("invoice-address", draft.id), 303);
  }
  if (intent === "back" || checked.error) await saveInvoice(user.id, draft.id, typed);
  if (intent === "back") return redirect(paths.certificatePurchase("order", draft.id), 303);
  if (checked.error) return invalid(checked.error, checked.submittedData);
  try {
    await countTry("vat-account", user.id);
    const seen = form.get("orderVersion");
    await completePurchase(user, draft.id, { typed, form: checked.data, seen: typeof seen === "string" ? seen : "" });
    return redirect(paths.certificatePurchase("order-complete", draft.id), 303);
  } catch (error) {
    return refused(foreseen(error, { request, context, code: "CIA0101E" }), checked.submittedData, FORM);
  }
}

export default function InvoiceAddress() {
  const { draftId, problems, promotionProblem, contact, contactCountry, order, details, ...invoice } =
    useLoaderData<typeof loader>();
  const prefillProblems = usePrefillProblems(FORM, problems, ADDRESS_LABELS);
  return (
    <>
      <ErrorSummary formId={FORM} order={INVOICE_FIELDS} labels={ADDRESS_LABELS} errors={prefillProblems} />
      <PageHeader title="Purchase Certificate: invoice address" />
      {promotionProblem && (
        <Note tone="warn">
          {promotionProblem} <Link to={paths.certificatePurchase("order", draftId)}>Change order</Link>
        </Note>
      )}
      <OrderReview draft={draftId} contact={contact} contactCountry={contactCountry} order={order} details={details} />
      <InvoiceForm id={FORM} {...invoice} />
    </>
  );
}

export const meta = pageTitle("Invoice address - Purchase Certificate - step 3 of 4");
