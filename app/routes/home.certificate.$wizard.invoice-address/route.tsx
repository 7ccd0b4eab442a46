import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { InvoiceForm } from "~/components/purchase/invoice-form";
import { ADDRESS_LABELS } from "~/components/purchase/labels";
import { OrderReview } from "~/components/purchase/order-review";
import { usePrefillProblems } from "~/components/purchase/prefill-problems";
import { stepTitle, WIZARD_HEADERS } from "~/components/purchase/wizard-texts";
import { pageTitle } from "~/components/shell/page-title";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { completePurchase } from "~/domain/certificates/purchase/completion.service.server";
import { INVOICE_FIELDS, STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { invoiceStep } from "~/domain/certificates/purchase/invoice.service.server";
import { type OpenOrder } from "~/domain/certificates/purchase/open-order.server";
import { handOverRenewal } from "~/domain/certificates/succession/renewal.service.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { type SubmittedInvoice } from "~/domain/orders/draft-completion.server";
import { saveInvoice } from "~/domain/orders/invoice.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { formatDiscount, formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { requireOrder, requireStep, type StepRequest } from "../home.certificate.$wizard/wizard.server";
import { submitInvoice } from "./invoice-form.server";

const FORM = STEP_FORMS.invoice;

export async function loader(args: LoaderFunctionArgs) {
  const step = await requireStep(args);
  const order = await requireOrder(step, "invoice-address");
  return json({
    wizard: step.wizard,
    draftId: order.draft.id,
    mayComplete: mayAsMember(step.user, "place-orders"),
    ...(await invoiceStep(step.user.id, order)),
  });
}

export async function action(args: ActionFunctionArgs) {
  const step = await requireStep(args);
  const order = await requireOrder(step, "invoice-address");
  const { request, context, user, wizard } = step;
  const { draft } = order;
  return submitInvoice({
    request,
    context,
    userId: user.id,
    draft,
    stepPath: (place) => paths.certificateWizard(wizard, place, draft.id),
    complete: (invoice) =>
      mayAsMember(user, "place-orders") ? completePurchase(user, order, invoice) : handOver(step, order, invoice),
  });
}

/** Keeps the step and hands the renewal over to the colleagues who may complete it. */
async function handOver({ request, user }: StepRequest, order: OpenOrder, { typed }: SubmittedInvoice) {
  await saveInvoice(user.id, order.draft, typed);
  const told = await handOverRenewal(user, order);
  const text = `The renewal is prepared. Owners and purchasers of your company who were told by mail: ${told}.`;
  return redirectWithToast(request, paths.certificates, { kind: "ok", text });
}

/** Step 3: a review of the order, and its invoice address (PUR-09). */
export default function InvoiceAddress() {
  const {
    wizard,
    draftId,
    mayComplete,
    problems,
    promotionProblem,
    contact,
    contactCountry,
    order,
    details,
    renewal,
    price,
    ...invoice
  } = useLoaderData<typeof loader>();
  const prefillProblems = usePrefillProblems(FORM, problems, ADDRESS_LABELS);
  const stepPath = (step: "contact-details" | "order") => paths.certificateWizard(wizard, step, draftId);
  return (
    <>
      <ErrorSummary formId={FORM} order={INVOICE_FIELDS} labels={ADDRESS_LABELS} errors={prefillProblems} />
      <PageHeader title={`${WIZARD_HEADERS[wizard]}: invoice address`} />
      {promotionProblem && (
        <Note tone="warn">
          {promotionProblem} <Link to={stepPath("order")}>Change order</Link>
        </Note>
      )}
      <OrderReview
        stepPath={stepPath}
        contact={contact}
        contactCountry={contactCountry}
        order={order}
        details={details}
        renewal={renewal}
      />
      {!mayComplete && (
        <Note>
          Your role prepares renewals. An owner or purchaser of your company checks this one and completes the order.
        </Note>
      )}
      <InvoiceForm
        id={FORM}
        completes={mayComplete}
        {...invoice}
        netCents={price.netCents}
        costs={[
          { label: "Total order cost", value: formatEuro(price.priceCents) },
          ...(renewal ? [] : [{ label: "Promotional discount", value: formatDiscount(price.discountCents) }]),
        ]}
      />
    </>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => stepTitle(data?.wizard ?? "purchase", "invoice-address"));
