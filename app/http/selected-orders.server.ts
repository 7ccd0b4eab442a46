import { json, redirect } from "@remix-run/node";
import { type RefusedOrder, type NamedOrder } from "~/domain/certificates/queue/bulk-approval.service.server";
import { queueIn, readSelection, withReasons } from "~/domain/certificates/queue/queue-selection.server";
import {
  actOnSelectedOrders,
  checkSelectedOrders,
  type OrderAct,
  type SortedOrders,
} from "~/domain/certificates/queue/selected-orders.server";
import { redirectWithToast } from "./flash.server";
import { readForm } from "./forms.server";
import { requireUser } from "./guard.server";
import { answerLongWork } from "./long-work.server";

/** What a page asks about before something happens to selected orders. */
export interface AskedAbout {
  ready: NamedOrder[];
  refused: RefusedOrder[];
  /** The query string of the queue, and the address of its page. */
  list: string | null;
  queue: string;
}

/** Answers a page that asks before it does something with selected orders. A wrong selection leads back to the queue. */
export async function askAboutSelection(request: Request, act: OrderAct) {
  const user = await requireUser(request, "work-on-orders");
  const { list, ids, back } = readSelection(new URL(request.url).searchParams);
  if (back) return redirect(back);
  const asked: AskedAbout = { ...(await checkSelectedOrders(act, ids, user)), list, queue: queueIn(list) };
  return json(asked);
}

/** The sentences after an act: with how many orders it was done, and how many further ones it left out. */
interface Outcome {
  doneText: (count: number) => string;
  moreText: (more: number) => string;
}

/** Does something with the selected orders that allow it, and returns to the queue with what came of it. */
export async function actOnSelection(request: Request, act: OrderAct, { doneText, moreText }: Outcome) {
  const user = await requireUser(request, "work-on-orders");
  const { list, ids, back } = readSelection(await readForm(request));
  if (back) return redirect(back, 303);
  const queue = queueIn(list);
  const toOutcome = ({ ready, refused }: SortedOrders) => ({
    kind: ready.length > 0 ? ("ok" as const) : ("bad" as const),
    text: withReasons(doneText(ready.length), refused, moreText),
  });
  const work = {
    kind: "orders",
    total: ids.length,
    next: { to: queue, label: "Back to the queue" },
    run: (onEach: () => void) => actOnSelectedOrders(act, ids, user, { onEach }),
    toOutcome,
  } as const;
  return answerLongWork(user, work, (sorted) => redirectWithToast(request, queue, toOutcome(sorted)));
}
