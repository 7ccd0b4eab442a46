import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { CODE_ORDER_LABELS as labels } from "~/components/codes/purchase/labels";
import { useCodePrice } from "~/components/codes/purchase/live-price";
import { Cost, OrderFields } from "~/components/codes/purchase/order-fields";
import { CheckboxField } from "~/components/forms/checkbox-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { fieldId } from "~/components/forms/form-id";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { stepTitle, WIZARD_HEADERS } from "~/components/purchase/wizard-texts";
import { pageTitle } from "~/components/shell/page-title";
import { useShell } from "~/components/shell/shell";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { NewTabLink } from "~/components/ui/new-tab-link";
import { PageHeader } from "~/components/ui/page-header";
import { CODE_ORDER_FIELDS, CODE_STEP_FORMS, DEFAULT_QUANTITY, readQuantity } from "~/domain/codes/purchase/fields";
import { codeOrderStep } from "~/domain/codes/purchase/steps.service.server";
import { codeOrderValidator } from "~/domain/codes/purchase/validators";
import { requireUser } from "~/http/guard.server";
import { requireDraft } from "../home.code.purchase/draft.server";
import { submitOrder } from "./page.server";

const FORM = CODE_STEP_FORMS.order;

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  return json(codeOrderStep(await requireDraft(request, user, "order")));
}

export async function action({ request }: ActionFunctionArgs) {
  return submitOrder(request, await requireUser(request, "place-orders"));
}

type Change = ReturnType<typeof useCodePrice>["change"];

/** An invalid quantity becomes the default when the form is sent, as on the server (CPO-01). */
function resetQuantity(change: Change) {
  const input = document.getElementById(fieldId(FORM, "quantity"));
  if (!(input instanceof HTMLInputElement) || readQuantity(input.value) !== null) return;
  input.value = String(DEFAULT_QUANTITY);
  change("quantity", input.value);
}

/** Step 2: how many codes of which type (CPO-01). */
export default function Order() {
  const { values, prices } = useLoaderData<typeof loader>();
  const { termsAndConditionsLink } = useShell().portal.links;
  const { cost, change, onChange } = useCodePrice({ values, prices });
  return (
    <>
      <ErrorSummary formId={FORM} order={CODE_ORDER_FIELDS} labels={labels} />
      <PageHeader title={`${WIZARD_HEADERS.codes}: order`}>
        <p>
          A Full code allows up to 1000 sub-entities, a Basic code up to 100. Codes with prefix X are for OFTP use only.
        </p>
      </PageHeader>
      <div className="split">
        <div onChange={onChange} onSubmit={() => resetQuantity(change)}>
          <PortalForm id={FORM} validator={codeOrderValidator} defaultValues={values} defaultIntent="next">
            <Card title="Order" className="stack">
              <OrderFields prices={prices} />
            </Card>
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
          <UnsavedChanges formId={FORM} />
        </div>
        <Cost cost={cost} />
      </div>
    </>
  );
}

export const meta = pageTitle(stepTitle("codes", "order"));
