import { RENEWAL_YEARS, VALIDITY_YEARS } from "~/domain/certificates/purchase/fields";
import { yearsText } from "~/domain/orders/price.policy";
import { SelectField } from "../forms/select-field";
import { TextField } from "../forms/text-field";
import { SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { ORDER_HELP } from "./order-help-texts";
import { UsageFields } from "./usage-fields";

interface Props {
  isRenewal: boolean;
  /** Why a renewal is not possible for a number of years, by that number. */
  refusals?: Readonly<Record<string, string>>;
  /** The discount of the promotion code, or why it gives none. */
  promotionText: string;
}

const RENEWAL_HINT =
  "Added to the end of the certificate being renewed, or to today once that is past. 0 years: a new certificate until that end, free of charge, if that is more than 3 months away. At most 5 years from today in total.";

/** Usage, validity, purchase order number and promotion code. A renewal keeps the usage and takes no promotion code. */
export function OrderCard({ isRenewal, refusals = {}, promotionText }: Props) {
  const offered = isRenewal ? RENEWAL_YEARS : VALIDITY_YEARS;
  return (
    <Card title={isRenewal ? "Validity" : "Usage and validity"} className="stack">
      {!isRenewal && <UsageFields />}
      <SelectField
        name="validityPeriod"
        label="Validity period"
        options={offered.map((years) => ({
          value: String(years),
          label: refusals[years] ? `${yearsText(years)} (not possible)` : yearsText(years),
        }))}
        hint={isRenewal ? RENEWAL_HINT : undefined}
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
        hint={ORDER_HELP.customerOrderNumber}
        required
      />
      {!isRenewal && <PromotionField promotionText={promotionText} />}
    </Card>
  );
}

const PromotionField = ({ promotionText }: Pick<Props, "promotionText">) => (
  <TextField
    name="promoCode"
    label="Promotion code"
    optional
    mono
    maxLength={10}
    autoComplete="off"
    hint={ORDER_HELP.promotionCode}
    status={promotionText}
    button={
      <SubmitButton intent="apply" variant="secondary" skipValidation>
        Apply
      </SubmitButton>
    }
  />
);
