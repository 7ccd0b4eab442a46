import { json, redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ConfirmationHeld } from "~/components/orders/confirmation-held";
import { TotalsTable } from "~/components/orders/order-summary";
import { stepTitle } from "~/components/purchase/wizard-texts";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { DescriptionList } from "~/components/ui/description-list";
import { DonePanel } from "~/components/ui/note";
import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { afterPurchase } from "~/domain/orders/after-purchase";
import { type CompletedCodeOrder, findCompletedCodeOrder } from "~/domain/orders/completed-order.service.server";
import { draftIdOf } from "~/http/draft-id.server";
import { requireUser } from "~/http/guard.server";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  const order = await findCompletedCodeOrder(user, draftIdOf(request));
  return order ? json(order) : redirect(paths.certificates); // CPO-03 requires this for codes too
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
      <p>
        An invoice follows. Once it is paid your account is unlocked to register the codes, and you are notified by
        email.
        {order.isInvoiceHeld &&
          " The invoice goes to the invoice address that you gave once your own email address is confirmed."}
      </p>
      <ButtonRow>
        <LinkButton to={afterPurchase(order.purchaseOrderType)} variant="primary">
          View my ID codes
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
            { term: "Code type", detail: CODE_TYPE_LABELS[order.codeType] },
            { term: "Quantity", detail: order.quantity },
          ]}
        />
        <TotalsTable
          caption="What the order costs"
          lines={[
            { label: "Price Per Code", value: formatEuro(order.perCodeCents) },
            { label: "Net Amount", value: formatEuro(order.netCents) },
            { label: "Vat Amount", value: formatEuro(order.vatCents) },
          ]}
          total={{ label: "Total Order Cost", value: formatEuro(order.totalCents) }}
        />
      </Card>
    </div>
  );
}

/** Says whether the customer's message was sent. */
function Notification({ order: { isNotified, isConfirmationHeld, user, orderNumber } }: { order: CompletedCodeOrder }) {
  if (isNotified) return <p>Thank you for your purchase. A summary of your order has been emailed to {user}.</p>;
  if (isConfirmationHeld) return <ConfirmationHeld user={user} />;
  return (
    <p>
      Your order is stored, but the confirmation email to {user} failed. Please keep the sales order number{" "}
      <span className="nowrap">{orderNumber}</span>.
    </p>
  );
}

export const meta = pageTitle(stepTitle("codes", "order-complete"));
