import { json, redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ConfirmationHeld } from "~/components/orders/confirmation-held";
import { TotalsTable } from "~/components/orders/order-summary";
import { OrderProgress } from "~/components/orders/progress";
import { stepTitle } from "~/components/purchase/wizard-texts";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { DescriptionList } from "~/components/ui/description-list";
import { DonePanel } from "~/components/ui/note";
import { afterPurchase } from "~/domain/orders/after-purchase";
import { type CompletedOrder, findCompletedOrder } from "~/domain/orders/completed-order.service.server";
import { yearsText } from "~/domain/orders/price.policy";
import { draftIdOf } from "~/http/draft-id.server";
import { notFound } from "~/lib/errors";
import { formatDiscount, formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { requireStep } from "./home.certificate.$wizard/wizard.server";
import styles from "~/styles/progress.css";

export const links = () => [{ rel: "stylesheet", href: styles }];

/** A renewal ends at the same address (`paths.certificateWizard`). */
export async function loader(args: LoaderFunctionArgs) {
  const { request, user, wizard } = await requireStep(args);
  if (wizard !== "purchase") throw notFound();
  const order = await findCompletedOrder(user, draftIdOf(request));
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
      <Notification order={order} />
      <ButtonRow>
        <LinkButton to={afterPurchase(order.purchaseOrderType)} variant="primary">
          View my certificates
        </LinkButton>
        <LinkButton to={paths.order(order.id)}>Follow this order</LinkButton>
      </ButtonRow>
      <Card title="Order details">
        <DescriptionList
          items={[
            { term: "Sales order number", detail: order.orderNumber },
            { term: "User name", detail: order.user },
            ...order.people,
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
      <Card title="What happens next">
        <OrderProgress steps={order.steps} />
      </Card>
    </div>
  );
}

interface Props {
  order: CompletedOrder;
}

/** Says whether the customer's own message was sent. */
function Notification({ order: { isNotified, isConfirmationHeld, user, orderNumber } }: Props) {
  if (isNotified)
    return (
      <p>
        Thank you for your purchase. Identity checks follow; once verified, an email with download and install
        instructions is sent to {user}.
      </p>
    );
  if (isConfirmationHeld) return <ConfirmationHeld user={user} />;
  return (
    <p>
      Your order is stored, but the confirmation email to {user} failed. Please keep the sales order number{" "}
      <span className="nowrap">{orderNumber}</span>. Identity checks follow all the same.
    </p>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => stepTitle(data?.wizard ?? "purchase", "order-complete"));
