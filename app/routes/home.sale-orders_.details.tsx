import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Card } from "~/components/card";
import { PAYMENT_FORM, PaymentCard } from "~/components/certificates/payment-card";
import { DescriptionList } from "~/components/description-list";
import { ErrorSummary } from "~/components/error-summary";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { StatusBadge } from "~/components/status-badge";
import { Time } from "~/components/time";
import { PAYMENT_LABELS } from "~/domain/orders/payment.limits";
import { paymentValidator } from "~/domain/orders/payment.lazy-validators";
import { recordPayment } from "~/domain/orders/payment.service.server";
import { findSalesOrder } from "~/domain/orders/sales-order.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { LARGEST_ID, readNumber } from "~/lib/list-params";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";

/** The order that the URL names; without one there is nothing to see here. */
async function requireSalesOrder(request: Request) {
  const id = readNumber(new URL(request.url).searchParams.get("order"), LARGEST_ID);
  const order = id === null ? null : await findSalesOrder(id);
  if (!order) throw redirect(paths.codes);
  return order;
}

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "Admin");
  return json({ order: await requireSalesOrder(request) });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "Admin");
  const { id } = await requireSalesOrder(request);
  const form = await paymentValidator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    await recordPayment(id, form.data, user.actor);
  } catch (error) {
    return refused(error, form.submittedData, PAYMENT_FORM);
  }
  const text = "Invoice and payment have been recorded.";
  return redirectWithToast(request, paths.saleOrder(id), { kind: "ok", text });
}

export default function SaleOrderDetails() {
  const { order } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <ErrorSummary formId={PAYMENT_FORM} order={Object.keys(PAYMENT_LABELS)} labels={PAYMENT_LABELS} />
      <PageHeader title="Sale Order Details" back={{ to: paths.codes, label: "Back to the codes" }} />
      <div className="pairs">
        <Card title={`Order ${order.orderNumber}`}>
          <DescriptionList
            items={[
              { term: "Order number", detail: order.orderNumber },
              { term: "User name", detail: order.userName },
              { term: "Company", detail: order.company },
              { term: "Country", detail: order.country },
              { term: "VAT number", detail: order.vatNumber },
              { term: "Purchase order number", detail: order.purchaseOrderNumber },
              { term: "Order date", detail: <Time value={order.orderDate} /> },
              { term: "Code type", detail: order.codeType },
              { term: "Number of codes", detail: order.numberOfCodes },
              { term: "Order total", detail: formatEuro(order.totalCents) },
              { term: "Status", detail: <StatusBadge status={order.status} /> },
              { term: "Remarks", detail: order.remarks },
            ]}
          />
        </Card>
        <PaymentCard key={order.payment.values.seen} payment={order.payment} intent="payment" />
      </div>
    </div>
  );
}

export const meta = pageTitle("Sale Order Details");
