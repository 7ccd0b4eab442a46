import { NOTE_LIMIT } from "~/domain/certificates/queue/note-limit";
import { cancellationValidator } from "~/domain/certificates/validators";
import { PortalForm } from "../forms/form";
import { TextareaField } from "../forms/textarea-field";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";

export const CANCELLATION_FORM = "cancellation";
/** The card of the form, for an address whose fragment leads to it. */
export const CANCELLATION_PLACE = "cancel-order";
export const CANCELLATION_LABELS = { decisionReason: "Reason" } as const;

/** The form with which the owner cancels a pending order. */
export function CancellationCard() {
  return (
    <Card title="Cancel this order" className="no-print" anchor={CANCELLATION_PLACE}>
      <PortalForm id={CANCELLATION_FORM} validator={cancellationValidator}>
        <TextareaField
          name="decisionReason"
          label={CANCELLATION_LABELS.decisionReason}
          optional
          limit={NOTE_LIMIT}
          rows={2}
        />
        <ButtonRow>
          <SubmitButton variant="caution" intent="cancel">
            Cancel order
          </SubmitButton>
        </ButtonRow>
      </PortalForm>
    </Card>
  );
}
