import { Link, useLoaderData } from "@remix-run/react";
import { Card } from "~/components/ui/card";
import { DescriptionList } from "~/components/ui/description-list";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PageHeader } from "~/components/ui/page-header";
import { InvoiceForm } from "~/components/purchase/invoice-form";
import { ADDRESS_LABELS } from "~/components/purchase/labels";
import { usePrefillProblems } from "~/components/purchase/prefill-problems";
import { INVOICE_FIELDS, STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { type loadInvoice } from "~/http/code-purchase.server";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";

const FORM = STEP_FORMS.invoice;

/** Step 3: the order to look over, and where its invoice goes (B §2, Code purchase wizard). */
export function CodeInvoicePage() {
  const { draftId, problems, technical, order, perCodeCents, price, ...invoice } = useLoaderData<typeof loadInvoice>();
  const prefillProblems = usePrefillProblems(FORM, problems, ADDRESS_LABELS);
  return (
    <>
      <ErrorSummary formId={FORM} order={INVOICE_FIELDS} labels={ADDRESS_LABELS} errors={prefillProblems} />
      <PageHeader title="Purchase Order" />
      <Card
        title="Order"
        actions={
          <Link to={paths.codePurchase("order", draftId)}>
            Change<span className="vh"> order</span>
          </Link>
        }
      >
        <DescriptionList
          items={[
            { term: "User name", detail: technical.email },
            { term: "Purchase order number", detail: order.purchaseOrderNumber },
            { term: "Code type", detail: CODE_TYPE_LABELS[order.productType] },
          ]}
        />
      </Card>
      <InvoiceForm
        id={FORM}
        {...invoice}
        netCents={price.netCents}
        costs={[
          { label: "Price per code", value: formatEuro(perCodeCents) },
          { label: "Quantity", value: order.quantity },
        ]}
      />
    </>
  );
}
