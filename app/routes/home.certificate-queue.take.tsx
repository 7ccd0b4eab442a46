import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { counted } from "~/components/certificates/approved-orders";
import { AskAboutOrders } from "~/components/certificates/ask-about-orders";
import { pageTitle } from "~/components/shell/page-title";
import { queueIn, readSelection, withReasons } from "~/domain/certificates/queue/queue-selection.server";
import { actOnSelectedOrders, checkSelectedOrders } from "~/domain/certificates/queue/selected-orders.server";
import { TAKE_ORDERS } from "~/domain/certificates/queue/taking.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "work-on-orders");
  const { list, ids, back } = readSelection(new URL(request.url).searchParams);
  if (back) return redirect(back);
  return json({ ...(await checkSelectedOrders(TAKE_ORDERS, ids, user)), list, queue: queueIn(list) });
}

/** Takes the selected orders that nobody has. */
export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "work-on-orders");
  const { list, ids, back } = readSelection(await readForm(request));
  if (back) return redirect(back, 303);
  const { ready, refused } = await actOnSelectedOrders(TAKE_ORDERS, ids, user);
  const done = `You work on ${counted(ready.length, "more order")} now.`;
  const text = withReasons(done, refused, (more) => `${counted(more, "other order")} stayed as before.`);
  return redirectWithToast(request, queueIn(list), { kind: ready.length > 0 ? "ok" : "bad", text });
}

export default function TakeOrders() {
  const asked = useLoaderData<typeof loader>();
  const orders = asked.ready.length === 1 ? "this order" : `these ${asked.ready.length} orders`;
  return (
    <AskAboutOrders
      {...asked}
      title="Take Orders"
      none="None of the selected orders is free."
      question={`Are you sure you wish to work on ${orders}?`}
      confirmLabel="Take"
      captions={{ ready: "Orders that you take", refused: "Orders that stay as they are" }}
    />
  );
}

export const meta = pageTitle("Take Orders");
