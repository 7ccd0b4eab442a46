import { useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { OrderSummary } from "~/components/orders/order-summary";
import { CsrCard } from "~/components/purchase/csr-card";
import { ORDER_LABELS } from "~/components/purchase/labels";
import { useLivePrice } from "~/components/purchase/live-price";
import { OrderCard } from "~/components/purchase/order-card";
import { RenewalCard, termLines } from "~/components/purchase/renewal-note";
import { TermsField } from "~/components/purchase/terms-field";
import { stepTitle, WIZARD_HEADERS } from "~/components/purchase/wizard-texts";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { DEFAULT_YEARS, ORDER_FIELDS, STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { orderValidator, renewalValidator } from "~/domain/certificates/purchase/validators";
import { yearsText } from "~/domain/orders/price.policy";
import { type LazyValidator } from "~/lib/lazy-validator";
import { formatDiscount, formatEuro } from "~/lib/money";
import { type loader } from "./page.server";

const FORM = STEP_FORMS.order;
type Validator = LazyValidator<Record<string, unknown>>;

export { action, loader } from "./page.server";

/** Step 2: the CSR and the details of the order (PUR-03). */
export default function Order() {
  const { wizard, asksForTerms, values, details, perYearCents, promotion, renewal, making, ...offers } =
    useLoaderData<typeof loader>();
  const { years, price, priceOf, promotionText, onChange } = useLivePrice({ values, perYearCents, promotion });
  const term = renewal?.terms.find((candidate) => candidate.years === years) ?? renewal?.terms[DEFAULT_YEARS];
  const refusals = renewal?.refusals;
  const validator = useMemo<Validator>(
    () => (refusals ? renewalValidator(refusals, asksForTerms) : orderValidator),
    [refusals, asksForTerms],
  );
  return (
    <>
      <ErrorSummary formId={FORM} order={ORDER_FIELDS} labels={ORDER_LABELS} />
      <PageHeader title={`${WIZARD_HEADERS[wizard]}: order`} />
      <div className="split">
        <div onChange={onChange}>
          <PortalForm
            id={FORM}
            validator={validator}
            encType="multipart/form-data"
            defaultValues={values}
            defaultIntent="next"
          >
            <CsrCard formId={FORM} csr={values.csr ?? ""} details={details} renewal={renewal} making={making} />
            {renewal && term && <RenewalCard renewal={renewal} term={term} />}
            <OrderCard
              renewal={renewal}
              promotionText={promotionText}
              netOf={(chosen) => formatEuro(priceOf(chosen).netCents)}
              {...offers}
            />
            {asksForTerms && <TermsField />}
            <ButtonRow>
              <SubmitButton intent="next">Next</SubmitButton>
              <SubmitButton intent="back" variant="secondary" skipValidation>
                Back
              </SubmitButton>
            </ButtonRow>
          </PortalForm>
          <UnsavedChanges formId={FORM} />
        </div>
        <OrderSummary
          lines={[
            { label: `Total order cost (${yearsText(years)})`, value: formatEuro(price.priceCents) },
            ...(renewal ? [] : [{ label: "Promotional discount", value: formatDiscount(price.discountCents) }]),
            ...(term ? termLines(term) : []),
          ]}
          total={{ label: "Balance to pay", value: formatEuro(price.netCents) }}
          note="Prices are exclusive of VAT."
        />
      </div>
    </>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  stepTitle(data?.wizard ?? "purchase", "order", data?.handsOver),
);
