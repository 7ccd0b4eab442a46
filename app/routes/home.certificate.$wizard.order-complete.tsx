import { json, redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ConfirmationHeld } from "~/components/orders/confirmation-held";
import { TotalsTable } from "~/components/orders/order-summary";
import { stepTitle } from "~/components/purchase/wizard-texts";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
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
      <section className="stack">
        <h2>What happens next</h2>
        <ol>
          <li>
            <ContactStep order={order} />
          </li>
          <li>We check the identity of your organisation.</li>
          <li>You receive an email with the download link.</li>
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
      {orderNumber}. Identity checks follow all the same.
    </p>
  );
}

/** Says whether the authentication contact gets a message now, later, or not at all. */
function ContactStep({ order: { contactHeldFor, authenticationEmail } }: Props) {
  const contact = <bdi>{authenticationEmail}</bdi>;
  if (contactHeldFor === "stopped")
    return (
      <>
        Your authentication contact, {contact}, wants no messages from us. We cannot ask for the authorisation by email:
        please contact us, or cancel the order and name somebody else.
      </>
    );
  if (contactHeldFor === "unconfirmed")
    return (
      <>
        You confirm your own email address. Then your authentication contact, {contact}, receives an email and
        authorises the order.
      </>
    );
  return <>Your authentication contact, {contact}, receives an email and authorises the order.</>;
}

export const meta = pageTitle<typeof loader>(({ data }) => stepTitle(data?.wizard ?? "purchase", "order-complete"));
