import { useLoaderData } from "@remix-run/react";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { CheckboxField } from "~/components/forms/checkbox-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { fieldId } from "~/components/forms/form-id";
import { PortalForm } from "~/components/forms/form";
import { ORDER_HELP } from "~/components/purchase/order-help-texts";
import { NewTabLink } from "~/components/ui/new-tab-link";
import { OrderSummary } from "~/components/orders/order-summary";
import { PageHeader } from "~/components/ui/page-header";
import { WIZARD_HEADERS } from "~/components/purchase/wizard-texts";
import { SelectField } from "~/components/forms/select-field";
import { useShell } from "~/components/shell/shell";
import { TextField } from "~/components/forms/text-field";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { codeOrderValidator } from "~/domain/codes/purchase/validators";
import {
  CODE_ORDER_FIELDS,
  CODE_STEP_FORMS,
  DEFAULT_QUANTITY,
  PURCHASE_ORDER_NUMBER_LIMIT,
  readQuantity,
} from "~/domain/codes/purchase/fields";
import { type loadOrder } from "~/http/code-purchase.server";
import { formatEuro } from "~/lib/money";
import { useCodePrice } from "./live-price";

/** Captions of the order step's fields. */
const labels = {
  purchaseOrderNumber: "Purchase order number",
  productType: "Product type",
  quantity: "Quantity",
  termsAndConditionsAccepted: "Terms and conditions",
} as const;

const FORM = CODE_STEP_FORMS.order;

type Change = ReturnType<typeof useCodePrice>["change"];

/** What is no quantity becomes the default as the form is sent, as on the server (B §5). */
function resetQuantity(change: Change) {
  const input = document.getElementById(fieldId(FORM, "quantity"));
  if (!(input instanceof HTMLInputElement) || readQuantity(input.value) !== null) return;
  input.value = String(DEFAULT_QUANTITY);
  change("quantity", input.value);
}

/** Step 2: how many codes of which type (B §2, Code purchase wizard). */
export function CodeOrderPage() {
  const { values, prices } = useLoaderData<typeof loadOrder>();
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

function OrderFields({ prices }: { prices: Record<keyof typeof CODE_TYPE_LABELS, number> }) {
  const types = Object.entries(CODE_TYPE_LABELS) as [keyof typeof CODE_TYPE_LABELS, string][];
  return (
    <>
      <TextField
        name="purchaseOrderNumber"
        label={labels.purchaseOrderNumber}
        maxLength={PURCHASE_ORDER_NUMBER_LIMIT}
        autoComplete="off"
        hint={ORDER_HELP.customerOrderNumber}
        required
      />
      <SelectField
        name="productType"
        label={labels.productType}
        placeholder="Select product type"
        options={types.map(([type, label]) => ({ value: type, label: `${label}, ${formatEuro(prices[type])}` }))}
        required
      />
      <TextField
        name="quantity"
        label={labels.quantity}
        inputMode="numeric"
        maxLength={20}
        autoComplete="off"
        hint="From 1 to 999"
        required
        button={
          <div className="no-js">
            <SubmitButton intent="update" variant="secondary" skipValidation>
              Update total
            </SubmitButton>
          </div>
        }
      />
    </>
  );
}

function Cost({ cost }: Pick<ReturnType<typeof useCodePrice>, "cost">) {
  if (!cost)
    return (
      <aside>
        <Card title="Order summary">
          <p className="hint">Select a product type to see what the order costs.</p>
        </Card>
      </aside>
    );
  const { perCodeCents, quantity, total } = cost;
  return (
    <OrderSummary
      lines={[
        { label: "Price per code", value: formatEuro(perCodeCents) },
        { label: "Quantity", value: quantity ?? "–" },
      ]}
      total={{ label: "Total order cost", value: total === null ? "–" : formatEuro(total) }}
      note="Prices are exclusive of VAT."
    />
  );
}
