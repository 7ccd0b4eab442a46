import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { counted } from "~/components/certificates/approved-orders";
import { AskAboutOrders } from "~/components/certificates/ask-about-orders";
import { pageTitle } from "~/components/shell/page-title";
import { selectionProblem } from "~/domain/certificates/queue/queue-fields";
import { LIST_FIELD } from "~/domain/certificates/queue/queue-list";
import { queueIn, selectedIds, withReasons } from "~/domain/certificates/queue/queue-selection.server";
import { checkTaking, takeOrders } from "~/domain/certificates/queue/taking.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "work-on-orders");
  const query = new URL(request.url).searchParams;
  const list = query.get(LIST_FIELD);
  const ids = selectedIds(query.getAll("id"));
  const problem = selectionProblem(ids);
  if (problem) return redirect(queueIn(list, problem));
  return json({ ...(await checkTaking(ids, user)), list, queue: queueIn(list) });
}

/** Takes the selected orders that nobody has. */
export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "work-on-orders");
  const submitted = await readForm(request);
  const list = submitted.get(LIST_FIELD);
  const ids = selectedIds(submitted.getAll("id"));
  const problem = selectionProblem(ids);
  if (problem) return redirect(queueIn(list, problem), 303);
  const { taken, refused } = await takeOrders(ids, user);
  const done = `You work on ${counted(taken.length, "more order")} now.`;
  const text = withReasons(done, refused, (more) => `${counted(more, "other order")} stayed as before.`);
  return redirectWithToast(request, queueIn(list), { kind: taken.length > 0 ? "ok" : "bad", text });
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
