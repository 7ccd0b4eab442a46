import { Link, useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { HandOverForm } from "~/components/purchase/hand-over-form";
import { InvoiceForm } from "~/components/purchase/invoice-form";
import { OrderReview } from "~/components/purchase/order-review";
import { usePrefillProblems } from "~/components/purchase/prefill-problems";
import { stepTitle, WIZARD_HEADERS } from "~/components/purchase/wizard-texts";
import { pageTitle } from "~/components/shell/page-title";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { ADDRESS_LABELS, INVOICE_FIELDS, STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { paths } from "~/lib/paths";
import { type loader } from "./page.server";

const FORM = STEP_FORMS.invoice;
const LABELS = { ...ADDRESS_LABELS, termsAndConditionsAccepted: "Terms and conditions" };

export { action, loader } from "./page.server";

/** Step 3: a review of the order, and its invoice address (PUR-09). */
export default function InvoiceAddress() {
  const {
    wizard,
    draftId,
    mayComplete,
    asksForTerms,
    preparation,
    technical,
    problems,
    promotionProblem,
    contact,
    order,
    details,
    renewal,
    price,
    ...invoice
  } = useLoaderData<typeof loader>();
  const prefillProblems = usePrefillProblems(FORM, mayComplete ? problems : {}, ADDRESS_LABELS);
  const stepPath = (step: "contact-details" | "order") => paths.certificateWizard(wizard, step, draftId);
  return (
    <>
      <ErrorSummary
        formId={FORM}
        order={[...INVOICE_FIELDS, "termsAndConditionsAccepted"]}
        labels={LABELS}
        errors={prefillProblems}
      />
      <PageHeader title={`${WIZARD_HEADERS[wizard]}: ${mayComplete ? "invoice address" : "hand over"}`} />
      {preparation && (
        <Note>
          <bdi>{preparation.text}</bdi> <Time value={preparation.at} withTime />.
        </Note>
      )}
      {promotionProblem && (
        <Note tone="warn">
          {promotionProblem} <Link to={stepPath("order")}>Change order</Link>
        </Note>
      )}
      <OrderReview
        stepPath={stepPath}
        contact={contact}
        technical={technical}
        order={order}
        details={details}
        renewal={renewal}
      />
      {mayComplete ? (
        <InvoiceForm
          id={FORM}
          step={paths.certificateWizard(wizard, "invoice-address", draftId)}
          asksForTerms={asksForTerms}
          {...invoice}
          netCents={price.netCents}
        />
      ) : (
        <HandOverForm id={FORM} isAgain={preparation !== null} netCents={price.netCents} costs={invoice.costs} />
      )}
    </>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  stepTitle(data?.wizard ?? "purchase", "invoice-address", data?.mayComplete === false),
);
