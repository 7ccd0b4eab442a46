import { Form, Link, useLoaderData } from "@remix-run/react";
import { CompanyLink } from "~/components/companies/names";
import { CsrfField } from "~/components/forms/csrf-field";
import { DateField } from "~/components/forms/date-fields";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { HiddenField } from "~/components/forms/portal-field";
import { RadioField } from "~/components/forms/radio-field";
import { TextareaField } from "~/components/forms/textarea-field";
import { DocumentLink } from "~/components/invoices/invoice-card";
import { InvoicePreview } from "~/components/invoices/invoice-preview";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import {
  CREDIT_FORM,
  CREDIT_LABELS,
  CREDIT_REASON_LIMIT,
  PAYMENT_FORM,
  PAYMENT_LABELS,
} from "~/domain/orders/invoices/invoice-forms";
import { type OrderInvoices } from "~/domain/orders/invoices/invoices.service.server";
import { creditValidator, paymentValidator } from "~/domain/orders/validators";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

export default function SalesOrderInvoice() {
  const { orderId, orderNumber, company, current, together, preview } = useLoaderData<typeof loader>();
  const back = { to: paths.salesOrder(orderId), label: "Back to the sales order" };
  const customer = (
    <p>
      Customer: <CompanyLink {...company} />
    </p>
  );
  if (current) {
    const about = { invoice: current, orderId, orderNumber, back, customer };
    return current.shared ? <MonthlyInvoice {...about} shared={current.shared} /> : <CreditNote {...about} />;
  }
  return (
    <div className="stack-l">
      <PageHeader title="Issue invoice" back={back}>
        <p>
          <strong>
            Are you sure you wish to issue the invoice for order <span className="nowrap">{orderNumber}</span>?
          </strong>{" "}
          It is sent to the customer and cannot be changed afterwards, only cancelled by a credit note.
        </p>
        {customer}
      </PageHeader>
      {preview && <InvoicePreview preview={preview} />}
      <Form method="post">
        <CsrfField />
        <ButtonRow>
          <SubmitButton intent="issue">Issue invoice</SubmitButton>
          <LinkButton to={back.to}>Cancel</LinkButton>
        </ButtonRow>
      </Form>
      {together.length > 0 && <IssueTogether orders={together} />}
    </div>
  );
}

const OrderLinks = ({ orders }: { orders: readonly { id: number; number: string }[] }) =>
  orders.map(({ id, number }, index) => (
    <span key={id}>
      {index > 0 && ", "}
      <Link to={paths.salesOrder(id)} className="nowrap">
        {number}
      </Link>
    </span>
  ));

/** Offers one invoice for all orders that a credit note has left without one. */
const IssueTogether = ({ orders }: { orders: OrderInvoices["together"] }) => (
  <Card title="One invoice for all">
    <p>
      The same credit note has left {orders.length} orders without an invoice: <OrderLinks orders={orders} />. One
      invoice can be issued for all of them; those that differ in their address, purchase order number or VAT, or are
      paid, get others.
    </p>
    <Form method="post">
      <CsrfField />
      <input type="hidden" name="seen" value={orders.map(({ id }) => id).join(" ")} />
      <ButtonRow>
        <SubmitButton intent="issue-together" variant="secondary">
          Issue one invoice for {orders.length === 2 ? "both" : `all ${orders.length}`}
        </SubmitButton>
      </ButtonRow>
    </Form>
  </Card>
);

interface CreditNoteProps {
  invoice: NonNullable<OrderInvoices["current"]>;
  orderId: number;
  orderNumber: string;
  back: { to: string; label: string };
  customer: React.ReactNode;
}

type Shared = NonNullable<CreditNoteProps["invoice"]["shared"]>;

/** The page of a monthly invoice: its orders, its payment as a whole, and a credit note for one order or for all. */
function MonthlyInvoice({
  invoice,
  shared,
  orderId,
  orderNumber,
  back,
  customer,
}: CreditNoteProps & { shared: Shared }) {
  const { orders, unpaidIds, unpaidCents } = shared;
  return (
    <div className="stack-l">
      <ErrorSummary formId={PAYMENT_FORM} labels={PAYMENT_LABELS} />
      <ErrorSummary formId={CREDIT_FORM} labels={CREDIT_LABELS} />
      <PageHeader title={`Invoice ${invoice.number}`} back={back}>
        <p>
          An invoice of the month, of {formatEuro(invoice.totalCents)}, which{" "}
          {orders.length === 1 ? "one order still has" : `${orders.length} orders still have`}:{" "}
          <OrderLinks orders={orders} />.
        </p>
        {customer}
        <p>
          <DocumentLink {...invoice} />
        </p>
      </PageHeader>
      {unpaidIds.length > 0 && (
        <Card title="Payment of the whole invoice">
          <PortalForm
            id={PAYMENT_FORM}
            validator={paymentValidator}
            defaultIntent="pay"
            defaultValues={{ invoice: String(invoice.id) }}
          >
            <HiddenField name="invoice" />
            <input type="hidden" name="seen" value={unpaidIds.join(" ")} />
            <p>
              {unpaidIds.length === 1
                ? `Records ${formatEuro(unpaidCents)} for the order that is not paid yet.`
                : `Records ${formatEuro(unpaidCents)} for the ${unpaidIds.length} orders that are not paid yet, to each its total.`}{" "}
              A part of it is recorded with the order.
            </p>
            <DateField name="paymentDate" label={PAYMENT_LABELS.paymentDate} optional hint="Left empty: today" />
            <ButtonRow>
              <SubmitButton intent="pay">Record payment</SubmitButton>
            </ButtonRow>
          </PortalForm>
        </Card>
      )}
      <Card title="Credit note">
        <p>
          <strong>
            Are you sure you wish to cancel invoice {invoice.number} by a credit note, for one order or for all? This
            process cannot be reversed.
          </strong>{" "}
          The credit note is sent to the customer. Afterwards a new invoice can be issued.
        </p>
        <CreditForm invoice={invoice} orderId={orderId}>
          {orders.length > 1 && (
            <RadioField
              name="scope"
              legend={CREDIT_LABELS.scope}
              options={[
                { value: "order", label: `Order ${orderNumber}: ${formatEuro(shared.partCents)}` },
                {
                  value: "whole",
                  label: `${orders.length === 2 ? "Both" : `All ${orders.length}`} orders that still have the invoice: ${formatEuro(shared.leftCents)}`,
                },
              ]}
            />
          )}
        </CreditForm>
      </Card>
    </div>
  );
}

function CreditNote({ invoice, orderId, back, customer }: CreditNoteProps) {
  return (
    <div className="stack-l">
      <ErrorSummary formId={CREDIT_FORM} labels={CREDIT_LABELS} />
      <PageHeader title="Issue credit note" back={back}>
        <p>
          <strong>
            Are you sure you wish to cancel invoice {invoice.number} of {formatEuro(invoice.totalCents)} by a credit
            note? This process cannot be reversed.
          </strong>{" "}
          The credit note is sent to the customer. Afterwards a new invoice can be issued.
        </p>
        {customer}
        <p>
          <DocumentLink {...invoice} />
        </p>
      </PageHeader>
      <CreditForm invoice={invoice} orderId={orderId} />
    </div>
  );
}

type CreditFormProps = Pick<CreditNoteProps, "invoice" | "orderId"> & { children?: React.ReactNode };

/** Asks for the reason of a credit note, below what else is to be chosen. */
function CreditForm({ invoice, orderId, children }: CreditFormProps) {
  return (
    <PortalForm
      id={CREDIT_FORM}
      validator={creditValidator}
      defaultIntent="credit"
      defaultValues={{ invoice: String(invoice.id), scope: "order" }}
    >
      <HiddenField name="invoice" />
      {children}
      <TextareaField
        name="reason"
        label={CREDIT_LABELS.reason}
        hint="The credit note states it."
        limit={CREDIT_REASON_LIMIT}
        rows={3}
      />
      <ButtonRow>
        <SubmitButton variant="danger" intent="credit">
          Issue credit note
        </SubmitButton>
        <LinkButton to={paths.salesOrder(orderId)}>Cancel</LinkButton>
      </ButtonRow>
    </PortalForm>
  );
}

export const meta = pageTitle("Invoice");
