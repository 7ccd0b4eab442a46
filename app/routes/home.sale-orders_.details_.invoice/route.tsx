import { Form, useLoaderData } from "@remix-run/react";
import { CompanyLink } from "~/components/companies/names";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { HiddenField } from "~/components/forms/portal-field";
import { TextareaField } from "~/components/forms/textarea-field";
import { DocumentLink } from "~/components/invoices/invoice-card";
import { InvoicePreview } from "~/components/invoices/invoice-preview";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { CREDIT_FORM, CREDIT_LABELS, CREDIT_REASON_LIMIT } from "~/domain/orders/invoices/credit-fields";
import { type OrderInvoices } from "~/domain/orders/invoices/invoices.service.server";
import { creditValidator } from "~/domain/orders/validators";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

export default function SalesOrderInvoice() {
  const { orderId, orderNumber, company, current, preview } = useLoaderData<typeof loader>();
  const back = { to: paths.salesOrder(orderId), label: "Back to the sales order" };
  const customer = (
    <p>
      Customer: <CompanyLink {...company} />
    </p>
  );
  if (current) return <CreditNote invoice={current} back={back} customer={customer} />;
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
    </div>
  );
}

interface CreditNoteProps {
  invoice: NonNullable<OrderInvoices["current"]>;
  back: { to: string; label: string };
  customer: React.ReactNode;
}

function CreditNote({ invoice, back, customer }: CreditNoteProps) {
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
      <PortalForm
        id={CREDIT_FORM}
        validator={creditValidator}
        defaultIntent="credit"
        defaultValues={{ invoice: String(invoice.id) }}
      >
        <HiddenField name="invoice" />
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
          <LinkButton to={back.to}>Cancel</LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("Invoice");
