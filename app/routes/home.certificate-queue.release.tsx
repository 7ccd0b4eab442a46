import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { counted } from "~/components/certificates/approved-orders";
import { AskAboutOrders } from "~/components/certificates/ask-about-orders";
import { pageTitle } from "~/components/shell/page-title";
import { RELEASE_ORDERS } from "~/domain/certificates/queue/taking.server";
import { actOnSelection, askAboutSelection } from "~/http/selected-orders.server";

export const loader = ({ request }: LoaderFunctionArgs) => askAboutSelection(request, RELEASE_ORDERS);

/** Releases the selected orders that the user has. */
export const action = ({ request }: ActionFunctionArgs) =>
  actOnSelection(request, RELEASE_ORDERS, {
    doneText: (count) => `You no longer work on ${counted(count, "order")}.`,
    moreText: (more) => `${counted(more, "other order")} stayed as before.`,
  });

export default function ReleaseOrders() {
  const asked = useLoaderData<typeof loader>();
  const orders = asked.ready.length === 1 ? "this order" : `these ${asked.ready.length} orders`;
  return (
    <AskAboutOrders
      {...asked}
      title="Release orders"
      none="You work on none of the selected orders."
      question={`Are you sure you wish to release ${orders}?`}
      confirmLabel="Release"
      captions={{ ready: "Orders that you release", refused: "Orders that stay as they are" }}
    />
  );
}

export const meta = pageTitle("Release orders");
