import { SubmitButton } from "~/components/buttons";
import { Card } from "~/components/card";
import { SelectField } from "~/components/select-field";
import { TextField } from "~/components/text-field";
import { VALIDITY_YEARS } from "~/domain/certificates/purchase.fields";
import { yearsText } from "~/domain/orders/price.policy";
import { UsageFields } from "./usage-fields";

/** Usage, validity, purchase order number and promotion code. `discountText` says what the applied code gives. */
export function OrderCard({ discountText }: { discountText: string }) {
  return (
    <Card title="Usage and validity" className="stack">
      <UsageFields />
      <SelectField
        name="validityPeriod"
        label="Validity period"
        options={VALIDITY_YEARS.map((years) => ({ value: String(years), label: yearsText(years) }))}
        button={
          <div className="no-js">
            <SubmitButton intent="update" variant="secondary" skipValidation>
              Update total
            </SubmitButton>
          </div>
        }
      />
      <TextField
        name="purchaseOrderNumber"
        label="Purchase order number"
        maxLength={50}
        autoComplete="off"
        hint="Your own number for this purchase; it appears on the invoice."
        required
      />
      <TextField
        name="promoCode"
        label="Promotion code"
        optional
        mono
        maxLength={10}
        autoComplete="off"
        hint={discountText || undefined}
        button={
          <SubmitButton intent="apply" variant="secondary" skipValidation>
            Apply
          </SubmitButton>
        }
      />
    </Card>
  );
}
