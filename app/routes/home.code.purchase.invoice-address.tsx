import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { InvoiceForm } from "~/components/purchase/invoice-form";
import { usePrefillProblems } from "~/components/purchase/prefill-problems";
import { stepTitle } from "~/components/purchase/wizard-texts";
import { pageTitle } from "~/components/shell/page-title";
import { Card } from "~/components/ui/card";
import { DescriptionList } from "~/components/ui/description-list";
import { PageHeader } from "~/components/ui/page-header";
import { PhoneFold } from "~/components/ui/phone-fold";
import { ADDRESS_LABELS, INVOICE_FIELDS, STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { completeCodePurchase } from "~/domain/codes/purchase/completion.service.server";
import { codeInvoiceStep } from "~/domain/codes/purchase/steps.service.server";
import { requireUser } from "~/http/guard.server";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { submitInvoice, usesLastAddress } from "./home.certificate.$wizard.invoice-address/invoice-form.server";
import { requireDraft } from "./home.code.purchase/draft.server";

const FORM = STEP_FORMS.invoice;

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  const draft = await requireDraft(request, user, "invoice-address");
  return json({ draftId: draft.id, ...(await codeInvoiceStep(user, draft, usesLastAddress(request))) });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  const draft = await requireDraft(request, user, "invoice-address");
  return submitInvoice({
    request,
    context,
    userId: user.id,
    draft,
    stepPath: (place) => paths.codePurchase(place, draft.id),
    complete: (invoice) => completeCodePurchase(user, draft, invoice),
  });
}

/** Step 3: a review of the order, and its invoice address (CPO-02). */
export default function InvoiceAddress() {
  const { draftId, problems, technical, order, perCodeCents, price, ...invoice } = useLoaderData<typeof loader>();
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
        <PhoneFold summary={`${CODE_TYPE_LABELS[order.productType]}, ${order.purchaseOrderNumber}`}>
          <DescriptionList
            items={[
              { term: "User name", detail: technical.email },
              { term: "Purchase order number", detail: order.purchaseOrderNumber },
              { term: "Code type", detail: CODE_TYPE_LABELS[order.productType] },
            ]}
          />
        </PhoneFold>
      </Card>
      <InvoiceForm
        id={FORM}
        step={paths.codePurchase("invoice-address", draftId)}
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

export const meta = pageTitle(stepTitle("codes", "invoice-address"));
