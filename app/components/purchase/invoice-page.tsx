import { Link, useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "../forms/error-summary";
import { Note } from "../ui/note";
import { PageHeader } from "../ui/page-header";
import { INVOICE_FIELDS, STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { type loadInvoiceStep } from "~/http/invoice-step.server";
import { formatDiscount, formatEuro } from "~/lib/money";
import { type CertificateWizard, paths } from "~/lib/paths";
import { InvoiceForm } from "./invoice-form";
import { ADDRESS_LABELS } from "./labels";
import { OrderReview } from "./order-review";
import { usePrefillProblems } from "./prefill-problems";
import { WIZARD_HEADERS } from "./wizard-texts";

const FORM = STEP_FORMS.invoice;

/** Step 3: the order to look over, and where its invoice goes (B §2, Invoice address). */
export function InvoicePage({ wizard }: { wizard: CertificateWizard }) {
  const { draftId, problems, promotionProblem, contact, contactCountry, order, details, renewal, price, ...invoice } =
    useLoaderData<typeof loadInvoiceStep>();
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
      <InvoiceForm
        id={FORM}
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
