import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ButtonRow, SubmitButton } from "~/components/buttons";
import { CheckboxField } from "~/components/checkbox-field";
import { ErrorSummary } from "~/components/error-summary";
import { PortalForm } from "~/components/form";
import { NewTabLink } from "~/components/new-tab-link";
import { OrderSummary } from "~/components/order-summary";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { CsrCard } from "~/components/purchase/csr-card";
import { useLivePrice } from "~/components/purchase/live-price";
import { ORDER_LABELS } from "~/components/purchase/labels";
import { OrderCard } from "~/components/purchase/order-card";
import { useShell } from "~/components/shell";
import { typedValues } from "~/domain/certificates/drafts.schema";
import { orderStep, submitOrder, type OrderIntent } from "~/domain/certificates/purchase-order.service.server";
import { ORDER_FIELDS } from "~/domain/certificates/purchase.fields";
import { orderValidator } from "~/domain/certificates/purchase.lazy-validators";
import { yearsText } from "~/domain/orders/price.policy";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { BODY_LIMIT } from "~/http/limits";
import { requireDraft } from "~/http/purchase-draft.server";
import { countTry } from "~/http/rate-limit.server";
import { invalid } from "~/http/responses.server";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";

const FORM = "certificate-order";

/** Enter means Next. `update` recomputes the total where no script does it. */
const INTENTS: [OrderIntent, ...OrderIntent[]] = ["next", "import", "apply", "update", "back"];

const destination = (intent: OrderIntent, draft: string): string => {
  if (intent === "next") return paths.certificatePurchase("invoice-address", draft);
  if (intent === "back") return paths.certificatePurchase("contact-details", draft);
  return paths.certificatePurchase("order", draft) + (intent === "import" ? "#csr-details" : "");
};

const bytesOf = async (value: FormDataEntryValue | null): Promise<Uint8Array | null> =>
  value instanceof File && value.size > 0 ? new Uint8Array(await value.arrayBuffer()) : null;

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  const draft = await requireDraft(request, user, "order");
  return json(await orderStep(draft.data));
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  const draft = await requireDraft(request, user, "order");
  const form = await readForm(request, { limit: BODY_LIMIT });
  const intent = intentOf(form, INTENTS);
  if (intent === "import") await countTry("csr-account", user.id);
  if ((intent === "apply" || intent === "next") && form.get("promoCode")) await countTry("promotion-account", user.id);
  const checked = await orderValidator.validate(form);
  const csr = form.get("csr");
  const outcome = await submitOrder(user.id, draft.id, {
    intent,
    typed: typedValues(checked.submittedData, ORDER_FIELDS),
    csr: typeof csr === "string" ? csr : "",
    file: await bytesOf(form.get("csrFile")),
    problems: checked.error?.fieldErrors ?? {},
  });
  if (!outcome || Object.keys(outcome.problems).length === 0) return redirect(destination(intent, draft.id), 303);
  return invalid({ fieldErrors: outcome.problems, formId: FORM }, { ...checked.submittedData, csr: outcome.csr });
}

export default function Order() {
  const { values, details, perYearCents, promotion } = useLoaderData<typeof loader>();
  const { termsAndConditionsLink } = useShell().portal.links;
  const { years, price, onChange } = useLivePrice({ values, perYearCents, promotion });
  const discount = formatEuro(price.discountCents);
  return (
    <>
      <ErrorSummary formId={FORM} order={ORDER_FIELDS} labels={ORDER_LABELS} />
      <PageHeader title="Purchase Certificate: order" />
      <div className="split">
        <div onChange={onChange}>
          <PortalForm
            id={FORM}
            validator={orderValidator}
            encType="multipart/form-data"
            defaultValues={values}
            defaultIntent="next"
          >
            <CsrCard formId={FORM} csr={values.csr ?? ""} details={details} />
            <OrderCard discountText={price.discountCents > 0 ? `Promotional discount: ${discount}` : ""} />
            <CheckboxField
              name="termsAndConditionsAccepted"
              label={
                <>
                  I agree to the <NewTabLink href={termsAndConditionsLink}>terms and conditions</NewTabLink>
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
        </div>
        <OrderSummary
          lines={[
            { label: `Total order cost (${yearsText(years)})`, value: formatEuro(price.priceCents) },
            { label: "Promotional discount", value: price.discountCents > 0 ? `−${discount}` : discount },
          ]}
          total={{ label: "Balance to pay", value: formatEuro(price.netCents) }}
          note="Prices are exclusive of VAT."
        />
      </div>
    </>
  );
}

export const meta = pageTitle("Order - Purchase Certificate - step 2 of 4");
