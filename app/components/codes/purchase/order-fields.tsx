import { SelectField } from "~/components/forms/select-field";
import { TextField } from "~/components/forms/text-field";
import { OrderSummary } from "~/components/orders/order-summary";
import { ORDER_HELP } from "~/components/purchase/order-help-texts";
import { SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { PURCHASE_ORDER_NUMBER_LIMIT } from "~/domain/codes/purchase/fields";
import { formatEuro } from "~/lib/money";
import { CODE_ORDER_LABELS as labels } from "./labels";
import { type useCodePrice } from "./live-price";

/** Purchase order number, type and quantity of the codes. */
export function OrderFields({ prices }: { prices: Record<keyof typeof CODE_TYPE_LABELS, number> }) {
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

/** The price of the order with the current values of the form. */
export function Cost({ cost }: Pick<ReturnType<typeof useCodePrice>, "cost">) {
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
