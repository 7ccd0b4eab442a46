import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { VatNumber } from "~/components/accounts/vat-number";
import { CompanyLink, PersonName } from "~/components/companies/names";
import { CorrectionsCard } from "~/components/corrections/corrections-card";
import { ErrorSummary } from "~/components/forms/error-summary";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { InvoiceCard } from "~/components/invoices/invoice-card";
import { ContactStopNote } from "~/components/mail/contact-stop-note";
import { MaintenancePanel } from "~/components/orders/maintenance-panel";
import { type AskedAboutOrder, OrderQuestion } from "~/components/orders/order-question";
import { SalesOrderCard } from "~/components/orders/sales-order-form";
import { pageTitle } from "~/components/shell/page-title";
import { Card } from "~/components/ui/card";
import { DescriptionList } from "~/components/ui/description-list";
import { PageHeader } from "~/components/ui/page-header";
import { PhoneFold } from "~/components/ui/phone-fold";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { SALES_ORDER_FORM, SALES_ORDER_LABELS } from "~/domain/orders/sales-order-fields";
import { type SalesOrder } from "~/domain/orders/sales-order.service.server";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

export default function SalesOrderDetails() {
  const { order, back, invoices, maintenance } = useLoaderData<typeof loader>();
  return (
    <OrderQuestion answer={useActionData<AskedAboutOrder>()}>
      <div className="stack-l">
        <ErrorSummary formId={SALES_ORDER_FORM} order={Object.keys(SALES_ORDER_LABELS)} labels={SALES_ORDER_LABELS} />
        <PageHeader title="Sale Order Details" back={{ to: back, label: "Back" }} />
        <div className="pairs">
          <div className="stack">
            <OrderCard order={order} />
            {invoices && <InvoiceCard invoices={invoices} />}
            <CorrectionsCard corrections={order.corrections} settlement={null} />
          </div>
          <SalesOrderCard title="Status, Invoice and payment" form={order.form} back={back} />
        </div>
        {maintenance && <MaintenancePanel {...maintenance} />}
        <UnsavedChanges formId={SALES_ORDER_FORM} />
      </div>
    </OrderQuestion>
  );
}

/** What the customer ordered, read-only. */
function OrderCard({ order }: { order: SalesOrder }) {
  return (
    <Card title={`Order ${order.orderNumber}`}>
      {order.invoiceStop && (
        <ContactStopNote
          email={order.invoiceEmail}
          stoppedAt={order.invoiceStop.stoppedAt}
          mayAllow={order.mayAllowMessages}
        />
      )}
      {order.settlement !== null && (
        <p>
          <strong>{order.settlement}</strong>
        </p>
      )}
      <PhoneFold summary={<FewWords order={order} />}>
        <DescriptionList
          items={[
            { term: "Order number", detail: order.orderNumber },
            { term: "User name", detail: order.userName },
            { term: "Ordered by", detail: <PersonName name={order.orderedBy} by={order.actingFor} /> },
            { term: "Company", detail: <CompanyLink id={order.companyId} name={order.company} /> },
            { term: "Country", detail: order.country },
            { term: "VAT number", detail: order.vat && <VatNumber {...order.vat} /> },
            { term: "Purchase order number", detail: <bdi>{order.purchaseOrderNumber}</bdi> },
            { term: "Order date", detail: <Time value={order.orderDate} /> },
            { term: "Code type", detail: order.type },
            { term: "Number of codes", detail: order.numberOfCodes },
            { term: "Invoice to", detail: <bdi>{order.invoiceTo.name}</bdi> },
            { term: "Invoice address", detail: <bdi>{order.invoiceTo.address}</bdi> },
            { term: "Invoice email", detail: <bdi>{order.invoiceEmail}</bdi> },
            { term: "Order total", detail: formatEuro(order.totalCents) },
            { term: "Status", detail: <StatusBadge status={order.status} /> },
            ...(order.customerNote ? [{ term: "Sent to the customer", detail: <bdi>{order.customerNote}</bdi> }] : []),
          ]}
        />
      </PhoneFold>
      {order.certificateId !== null && (
        <p>
          <Link to={paths.certificateQueueOrder(order.certificateId)}>Certificate and checks of this order</Link>
        </p>
      )}
    </Card>
  );
}

/** What a phone shows of the order before all of it is opened. */
const FewWords = ({ order }: { order: SalesOrder }) => (
  <>
    <bdi>{order.company}</bdi>, {formatEuro(order.totalCents)}, {order.status}
  </>
);

export const meta = pageTitle("Sale Order Details");
