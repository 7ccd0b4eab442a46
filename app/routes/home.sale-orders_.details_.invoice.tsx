import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { HiddenField } from "~/components/forms/hidden-field";
import { TextareaField } from "~/components/forms/textarea-field";
import { DocumentLink } from "~/components/invoices/invoice-card";
import { InvoicePreview } from "~/components/invoices/invoice-preview";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { CREDIT_FORM, CREDIT_LABELS, CREDIT_REASON_LIMIT } from "~/domain/orders/invoices/credit-fields";
import {
  findOrderInvoices,
  issueCreditNote,
  issueInvoice,
  type OrderInvoices,
  previewInvoice,
} from "~/domain/orders/invoices/invoices.service.server";
import { creditValidator } from "~/domain/orders/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid } from "~/http/responses.server";
import { PortalError } from "~/lib/errors";
import { LARGEST_ID, readNumber } from "~/lib/list-params";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";

/** Returns the order that the URL names. Redirects to the sales orders when there is none. */
async function requireOrder(request: Request) {
  const id = readNumber(new URL(request.url).searchParams.get("order"), LARGEST_ID);
  const invoices = id === null ? null : await findOrderInvoices(id);
  if (!invoices) throw redirect(paths.salesOrders);
  return invoices;
}

const toOrder = (request: Request, orderId: number, kind: "ok" | "warn", text: string) =>
  redirectWithToast(request, paths.salesOrder(orderId), { kind, text });

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "Admin");
  const { orderId, orderNumber, current, barrier } = await requireOrder(request);
  if (!current && barrier) return toOrder(request, orderId, "warn", barrier);
  return json({ orderId, orderNumber, current, preview: current ? null : await previewInvoice(orderId) });
}

/** Issues the invoice, or cancels it with a credit note. The page itself asks for confirmation. */
export async function action({ request }: ActionFunctionArgs) {
  const { actor } = await requireUser(request, "Admin");
  const { orderId } = await requireOrder(request);
  const submitted = await readForm(request);
  try {
    if (submitted.get("intent") === "issue") {
      const number = await issueInvoice(orderId, actor);
      return await toOrder(request, orderId, "ok", `Invoice ${number} has been issued.`);
    }
    const form = await creditValidator.validate(submitted);
    if (form.error) return invalid(form.error, form.submittedData);
    const { invoice, reason } = form.data;
    const number = await issueCreditNote({ orderId, invoiceId: invoice, reason }, actor);
    return await toOrder(request, orderId, "ok", `Credit note ${number} has been issued.`);
  } catch (error) {
    if (!(error instanceof PortalError)) throw error;
    return toOrder(request, orderId, "warn", error.message);
  }
}

export default function SalesOrderInvoice() {
  const { orderId, orderNumber, current, preview } = useLoaderData<typeof loader>();
  const back = { to: paths.salesOrder(orderId), label: "Back to the sales order" };
  if (current) return <CreditNote invoice={current} back={back} />;
  return (
    <div className="stack-l">
      <PageHeader title="Issue Invoice" back={back}>
        <p>
          <strong>Are you sure you wish to issue the invoice for order {orderNumber}?</strong> It is sent to the
          customer and cannot be changed afterwards, only cancelled by a credit note.
        </p>
      </PageHeader>
      {preview && <InvoicePreview preview={preview} />}
      <Form method="post">
        <CsrfField />
        <ButtonRow>
          <SubmitButton intent="issue">Issue Invoice</SubmitButton>
          <LinkButton to={back.to}>Cancel</LinkButton>
        </ButtonRow>
      </Form>
    </div>
  );
}

interface CreditNoteProps {
  invoice: NonNullable<OrderInvoices["current"]>;
  back: { to: string; label: string };
}

function CreditNote({ invoice, back }: CreditNoteProps) {
  return (
    <div className="stack-l">
      <ErrorSummary formId={CREDIT_FORM} labels={CREDIT_LABELS} />
      <PageHeader title="Issue Credit Note" back={back}>
        <p>
          <strong>
            Are you sure you wish to cancel invoice {invoice.number} of {formatEuro(invoice.totalCents)} by a credit
            note? This process cannot be reversed.
          </strong>{" "}
          The credit note is sent to the customer. Afterwards a new invoice can be issued.
        </p>
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
          maxLength={CREDIT_REASON_LIMIT}
          rows={3}
        />
        <ButtonRow>
          <SubmitButton variant="danger" intent="credit">
            Issue Credit Note
          </SubmitButton>
          <LinkButton to={back.to}>Cancel</LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("Invoice");
