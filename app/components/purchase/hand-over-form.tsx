import { confirmationValidator } from "~/domain/drafts/validators";
import { formatEuro } from "~/lib/money";
import { PortalForm } from "../forms/form";
import { type Line, OrderSummary } from "../orders/order-summary";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";

interface Props {
  id: string;
  isAgain: boolean;
  /** The items of the net amount. */
  costs: readonly Line[];
  netCents: number;
}

/** The last step of a member who only prepares a renewal. Whoever orders it gives the invoice address, which decides about VAT. */
export function HandOverForm({ id, isAgain, costs, netCents }: Props) {
  return (
    <div className="split">
      <Card title="Hand over">
        <p>
          Your role prepares renewals. An owner or purchaser of your company checks this one, gives the invoice address,
          and completes the order.
        </p>
        <PortalForm id={id} validator={confirmationValidator} defaultIntent="complete">
          <ButtonRow>
            <SubmitButton intent="complete" busyText="Handing over…">
              {isAgain ? "Hand over again" : "Hand over to a purchaser"}
            </SubmitButton>
            <SubmitButton intent="back" variant="secondary">
              Back
            </SubmitButton>
          </ButtonRow>
        </PortalForm>
      </Card>
      <OrderSummary
        lines={costs}
        total={{ label: "Net amount", value: formatEuro(netCents) }}
        note="Prices are exclusive of VAT."
      />
    </div>
  );
}
