import { RENEWAL_YEARS, VALIDITY_YEARS } from "~/domain/certificates/purchase/fields";
import { type RenewalView } from "~/domain/certificates/succession/renewal-view.server";
import { yearsText } from "~/domain/orders/price.policy";
import { SelectField } from "../forms/select-field";
import { TextField } from "../forms/text-field";
import { SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { ORDER_HELP } from "./order-help-texts";
import { UsageFields } from "./usage-fields";

interface Props {
  /** The certificate that the order renews, if any. */
  renewal: RenewalView | null;
  /** The discount of the promotion code, or why it gives none. */
  promotionText: string;
  /** Returns the net price for a number of years. */
  netOf: (years: number) => string;
  hints: { validity: string; number: string };
  /** The purchase order number of the last order, which the field offers, or "". */
  lastNumber: string;
}

/** Usage, validity, purchase order number and promotion code. A renewal keeps the usage and takes no promotion code. */
export function OrderCard({ renewal, promotionText, netOf, hints, lastNumber }: Props) {
  const refusals: Readonly<Record<string, string>> = renewal?.refusals ?? {};
  const offered = renewal ? RENEWAL_YEARS : VALIDITY_YEARS;
  return (
    <Card title={renewal ? "Validity" : "Usage and validity"} className="stack">
      {!renewal && <UsageFields />}
      <SelectField
        name="validityPeriod"
        label="Validity period"
        options={offered.map((years) => ({
          value: String(years),
          label: `${yearsText(years)}${refusals[years] ? " (not possible)" : `, ${netOf(years)}`}`,
        }))}
        hint={hints.validity}
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
        hint={hints.number}
        list="last-number"
        required
      />
      <datalist id="last-number">
        <option value={lastNumber} />
      </datalist>
      {!renewal && <PromotionField promotionText={promotionText} />}
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
