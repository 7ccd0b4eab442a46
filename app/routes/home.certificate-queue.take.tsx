import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { counted } from "~/components/certificates/approved-orders";
import { AskAboutOrders } from "~/components/certificates/ask-about-orders";
import { pageTitle } from "~/components/shell/page-title";
import { TAKE_ORDERS } from "~/domain/certificates/queue/taking.server";
import { actOnSelection, askAboutSelection } from "~/http/selected-orders.server";

export const loader = ({ request }: LoaderFunctionArgs) => askAboutSelection(request, TAKE_ORDERS);

/** Takes the selected orders that nobody has. */
export const action = ({ request }: ActionFunctionArgs) =>
  actOnSelection(request, TAKE_ORDERS, {
    doneText: (count) => `You work on ${counted(count, "more order")} now.`,
    moreText: (more) => `${counted(more, "other order")} stayed as before.`,
  });

export default function TakeOrders() {
  const asked = useLoaderData<typeof loader>();
  const orders = asked.ready.length === 1 ? "this order" : `these ${asked.ready.length} orders`;
  return (
    <AskAboutOrders
      {...asked}
      title="Take orders"
      none="None of the selected orders is free."
      question={`Are you sure you wish to work on ${orders}?`}
      confirmLabel="Take"
      captions={{ ready: "Orders that you take", refused: "Orders that stay as they are" }}
    />
  );
}

export const meta = pageTitle("Take orders");
