import { type QueueOrder } from "~/domain/certificates/queue.service.server";
import { INVOICE_NUMBER_LIMIT, PAYMENT_LABELS, REMARKS_LIMIT } from "~/domain/orders/payment.limits";
import { paymentValidator } from "~/domain/orders/payment.lazy-validators";
import { ButtonRow, SubmitButton } from "../buttons";
import { Card } from "../card";
import { CheckboxField } from "../checkbox-field";
import { DateField } from "../date-fields";
import { PortalForm } from "../form";
import { HiddenField } from "../hidden-field";
import { TextField } from "../text-field";
import { TextareaField } from "../textarea-field";

export const PAYMENT_FORM = "payment";

interface Props {
  payment: QueueOrder["payment"];
  /** Tells the form from the page's other one. */
  intent: string;
}

/** Invoice and payment of the order, whatever became of its certificate. */
export function PaymentCard({ payment: { values, barrier }, intent }: Props) {
  if (barrier)
    return (
      <Card title="Invoice and Payment">
        <p>{barrier}</p>
      </Card>
    );
  return (
    <Card title="Invoice and Payment">
      <PortalForm id={PAYMENT_FORM} validator={paymentValidator} defaultValues={values} defaultIntent={intent}>
        <HiddenField name="seen" />
        <TextField
          name="invoiceNumber"
          label={PAYMENT_LABELS.invoiceNumber}
          optional
          maxLength={INVOICE_NUMBER_LIMIT}
          autoComplete="off"
        />
        <DateField name="invoiceDate" label={PAYMENT_LABELS.invoiceDate} optional />
        <CheckboxField name="isPaid" label={PAYMENT_LABELS.isPaid} />
        <DateField
          name="paymentDate"
          label={PAYMENT_LABELS.paymentDate}
          optional
          hint="Needed when the order is paid."
        />
        <TextareaField
          name="remarks"
          label={PAYMENT_LABELS.remarks}
          optional
          hint="Needed when a paid order is not paid any more."
          maxLength={REMARKS_LIMIT}
          rows={2}
        />
        <ButtonRow>
          <SubmitButton intent={intent} variant="secondary">
            Save
          </SubmitButton>
        </ButtonRow>
      </PortalForm>
    </Card>
  );
}
