import {
  AMOUNT_LIMIT,
  INVOICE_NUMBER_LIMIT,
  ORDER_STATUSES,
  PROMOTION_CODE_LIMIT,
  REMARKS_LIMIT,
  SALES_ORDER_FORM,
  SALES_ORDER_LABELS as labels,
} from "~/domain/orders/sales-order-fields";
import { type SalesOrderFormState } from "~/domain/orders/sales-order.service.server";
import { salesOrderValidator } from "~/domain/orders/validators";
import { DateField } from "../forms/date-fields";
import { type FieldTexts } from "../forms/field";
import { PortalForm } from "../forms/form";
import { HiddenField } from "../forms/portal-field";
import { Remount, useShownVersion } from "../forms/remount";
import { SelectField } from "../forms/select-field";
import { TextField } from "../forms/text-field";
import { TextareaField } from "../forms/textarea-field";
import { ButtonRow, LinkButton, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { Time } from "../ui/time";

/** An amount in euro: digits and a decimal point. Letters, copy and paste are blocked by script (docs/decisions/0036). */
const AmountField = (props: FieldTexts & { maxLength: number }) => (
  <TextField {...props} noPaste inputMode="decimal" autoComplete="off" />
);

interface Props {
  title: string;
  form: SalesOrderFormState;
  /** Distinguishes the form from the other one on the page. */
  intent?: string;
  /** The address of Back, on a page that is only about this order. */
  back?: string;
}

/** The fields of a sales order that staff can change: status, remarks, invoice and payment (SAL-03). */
export function SalesOrderCard({ title, form: { values, barrier }, intent = "update", back }: Props) {
  const version = useShownVersion("seen", values.seen);
  if (barrier)
    return (
      <Card title={title}>
        <p>{barrier}</p>
        <SalesOrderFacts values={values} />
      </Card>
    );
  return (
    <Remount on={version}>
      <Card title={title}>
        <PortalForm id={SALES_ORDER_FORM} validator={salesOrderValidator} defaultValues={values} defaultIntent={intent}>
          <HiddenField name="seen" />
          <HiddenField name="opened" />
          <SelectField
            name="status"
            label={labels.status}
            placeholder="Select status"
            options={ORDER_STATUSES.map((status) => ({ value: status, label: status }))}
            hint="An order with invoice number, total and date is Invoiced unless it is Paid. Invoiced without a number issues the invoice and sends it. Cancelled is final."
          />
          <TextareaField
            name="remarks"
            label={labels.remarks}
            optional
            hint={`Required when a paid order is no longer paid, or an order with an invoice of the portal is cancelled. New remarks are then sent to the customer as the reason. At most ${REMARKS_LIMIT} characters.`}
            maxLength={REMARKS_LIMIT}
            rows={3}
          />
          <TextField
            name="promotionCode"
            label={labels.promotionCode}
            optional
            hint={`At most ${PROMOTION_CODE_LIMIT} characters`}
            maxLength={PROMOTION_CODE_LIMIT}
            autoComplete="off"
          />
          <TextField
            name="invoiceNumber"
            label={labels.invoiceNumber}
            optional
            maxLength={INVOICE_NUMBER_LIMIT}
            autoComplete="off"
          />
          <AmountField
            name="invoiceTotal"
            label={labels.invoiceTotal}
            optional
            hint="In euro, with a point before the cents"
            maxLength={AMOUNT_LIMIT}
          />
          <DateField name="invoiceDate" label={labels.invoiceDate} optional />
          <AmountField
            name="paymentTotal"
            label={labels.paymentTotal}
            optional
            hint="In euro, with a point before the cents; left empty for a paid order: the order total"
            maxLength={AMOUNT_LIMIT}
          />
          <DateField name="paymentDate" label={labels.paymentDate} optional hint="Left empty for a paid order: today" />
          <ButtonRow>
            <SubmitButton intent={intent} variant={back === undefined ? "secondary" : "primary"}>
              Update
            </SubmitButton>
            {back !== undefined && (
              <LinkButton to={back} variant="quiet">
                Back
              </LinkButton>
            )}
          </ButtonRow>
        </PortalForm>
      </Card>
    </Remount>
  );
}

/** The same fields, read-only. */
function SalesOrderFacts({ values }: Pick<SalesOrderFormState, "values">) {
  const euro = (amount: string) => amount && `€${amount}`;
  return (
    <DescriptionList
      hideEmpty
      items={[
        { term: labels.remarks, detail: values.remarks },
        { term: labels.promotionCode, detail: values.promotionCode },
        { term: labels.invoiceNumber, detail: values.invoiceNumber },
        { term: labels.invoiceTotal, detail: euro(values.invoiceTotal) },
        { term: labels.invoiceDate, detail: values.invoiceDate && <Time value={values.invoiceDate} /> },
        { term: labels.paymentTotal, detail: euro(values.paymentTotal) },
        { term: labels.paymentDate, detail: values.paymentDate && <Time value={values.paymentDate} /> },
      ]}
    />
  );
}
