import { json, redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { LinkButton } from "~/components/buttons";
import { Card } from "~/components/card";
import { DescriptionList } from "~/components/description-list";
import { DonePanel } from "~/components/note";
import { TotalsTable } from "~/components/order-summary";
import { pageTitle } from "~/components/page-title";
import { stepTitle } from "~/components/purchase/wizard-texts";
import { afterPurchase } from "~/domain/orders/after-purchase";
import { findCompletedOrder } from "~/domain/orders/completed-order.service.server";
import { yearsText } from "~/domain/orders/price.policy";
import { requireUser } from "~/http/guard.server";
import { draftIdOf } from "~/http/purchase-draft.server";
import { formatDiscount, formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  const order = await findCompletedOrder(user.id, draftIdOf(request));
  return order ? json(order) : redirect(paths.certificates);
}

export default function OrderComplete() {
  const order = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack-l">
      <DonePanel title="Order complete">
        <p>Sales order number</p>
        <strong>{order.orderNumber}</strong>
      </DonePanel>
      {order.isNotified ? (
        <p>
          Thank you for your purchase. Identity checks follow; once verified, an e-mail with download and install
          instructions is sent to {order.user}.
        </p>
      ) : (
        <p>
          Your order is stored, but the confirmation e-mail to {order.user} failed. Please keep the sales order number{" "}
          {order.orderNumber}. Identity checks follow all the same.
        </p>
      )}
      <Card title="Order details">
        <DescriptionList
          items={[
            { term: "Sales order number", detail: order.orderNumber },
            { term: "User name", detail: order.user },
            { term: "Purchase order number", detail: order.purchaseOrderNumber },
            { term: "Validity period", detail: yearsText(order.validityPeriod) },
          ]}
        />
        <TotalsTable
          caption="What the order costs"
          lines={[
            { label: "Promotional Discount", value: formatDiscount(order.discountCents) },
            { label: "Net Amount", value: formatEuro(order.netCents) },
            { label: "VAT Amount", value: formatEuro(order.vatCents) },
          ]}
          total={{ label: "Total", value: formatEuro(order.totalCents) }}
        />
      </Card>
      <section className="stack">
        <h2>What happens next</h2>
        <ol>
          <li>
            Your authentication contact, {order.authenticationEmail}, receives an e-mail and authorises the order.
          </li>
          <li>We check the identity of your organisation.</li>
          <li>You receive an e-mail with the download link.</li>
        </ol>
        <p>
          <LinkButton to={afterPurchase(order.purchaseOrderType)} variant="primary">
            View my certificates
          </LinkButton>
        </p>
      </section>
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => stepTitle(data?.wizard ?? "purchase", "order-complete"));
