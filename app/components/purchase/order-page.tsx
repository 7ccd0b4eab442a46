import { useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { CheckboxField } from "../forms/checkbox-field";
import { ErrorSummary } from "../forms/error-summary";
import { PortalForm } from "../forms/form";
import { NewTabLink } from "../ui/new-tab-link";
import { OrderSummary } from "../orders/order-summary";
import { PageHeader } from "../ui/page-header";
import { useShell } from "../shell/shell";
import { UnsavedChanges } from "../forms/unsaved-changes";
import { DEFAULT_YEARS, ORDER_FIELDS, STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { orderValidator, renewalValidator } from "~/domain/certificates/purchase/validators";
import { yearsText } from "~/domain/orders/price.policy";
import { type loadOrderStep } from "~/http/order-step.server";
import { type LazyValidator } from "~/lib/lazy-validator";
import { formatDiscount, formatEuro } from "~/lib/money";
import { type CertificateWizard, paths } from "~/lib/paths";
import { CsrCard } from "./csr-card";
import { ORDER_LABELS } from "./labels";
import { useLivePrice } from "./live-price";
import { OrderCard } from "./order-card";
import { RenewalCard, termLines } from "./renewal-note";
import { WIZARD_HEADERS } from "./wizard-texts";

const FORM = STEP_FORMS.order;
type Validator = LazyValidator<Record<string, unknown>>;

/** Step 2: the CSR and what is ordered with it (B §2, Order). */
export function OrderPage({ wizard }: { wizard: CertificateWizard }) {
  const { values, details, perYearCents, promotion, renewal } = useLoaderData<typeof loadOrderStep>();
  const { termsAndConditionsLink } = useShell().portal.links;
  const { years, price, promotionText, onChange } = useLivePrice({ values, perYearCents, promotion });
  const term = renewal?.terms.find((candidate) => candidate.years === years) ?? renewal?.terms[DEFAULT_YEARS];
  const refusals = renewal?.refusals;
  const validator = useMemo<Validator>(() => (refusals ? renewalValidator(refusals) : orderValidator), [refusals]);
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
            {renewal && term && <RenewalCard renewal={renewal} term={term} />}
            <CsrCard formId={FORM} csr={values.csr ?? ""} details={details} renewal={renewal} />
            <OrderCard isRenewal={renewal !== null} refusals={refusals} promotionText={promotionText} />
            <CheckboxField
              name="termsAndConditionsAccepted"
              label={
                <>
                  I agree to the <NewTabLink href={termsAndConditionsLink}>terms and conditions</NewTabLink>
                </>
              }
              hint={
                <>
                  With them you accept the{" "}
                  <NewTabLink href={paths.policy("subscriber-agreement")}>Subscriber Agreement</NewTabLink>
                </>
              }
            />
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
