import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ApprovedOrders, counted, joinedIds, marksColumn } from "~/components/certificates/approved-orders";
import { AskAboutOrders } from "~/components/certificates/ask-about-orders";
import { pageTitle } from "~/components/shell/page-title";
import {
  approveConfirmed,
  type BulkResult,
  checkSelected,
} from "~/domain/certificates/queue/bulk-approval.service.server";
import { selectionProblem } from "~/domain/certificates/queue/queue-fields";
import { ALL_READY, LIST_FIELD } from "~/domain/certificates/queue/queue-list";
import { listReadyIds } from "~/domain/certificates/queue/queue-list.service.server";
import { queueIn, readSelection, selectedIds, viewIn } from "~/domain/certificates/queue/queue-selection.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { answerLongWork } from "~/http/long-work.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { withQuery } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "approve-orders");
  const query = new URL(request.url).searchParams;
  const list = query.get(LIST_FIELD);
  if (query.has(ALL_READY)) {
    // What is asked about stays the same when the orders are approved and the page is loaded again.
    const ready = await listReadyIds(viewIn(list), user);
    if (ready.length === 0) return redirect(queueIn(list, "none-ready"));
    return redirect(withQuery(staffPaths.approveOrders, { id: ready.join(","), [LIST_FIELD]: list ?? "" }));
  }
  const { ids, back } = readSelection(query);
  if (back) return redirect(back);
  return json({ ...(await checkSelected(ids, user)), list, queue: queueIn(list) });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "approve-orders");
  const submitted = await readForm(request);
  const list = submitted.get(LIST_FIELD);
  const [confirmed, notReady] = [selectedIds(submitted.getAll("id")), selectedIds(submitted.getAll("notReady"))];
  await requireFormStepUp(request, user, { fields: submitted }, () => FORM_TASKS.approveMany(confirmed.length));
  const problem = selectionProblem(confirmed) ?? selectionProblem([...confirmed, ...notReady]);
  if (problem) return redirect(queueIn(list, problem), 303);
  const queue = queueIn(list);
  const work = {
    kind: "approval",
    total: confirmed.length,
    next: { to: queue, label: "Back to the queue" },
    run: (onEach: () => void) => approveConfirmed(confirmed, notReady, user, { onEach }),
    toOutcome: (approved: BulkResult) => ({ approved }),
  } as const;
  return answerLongWork(user, work, (approved) => json({ ...approved, queue }));
}

export default function ApproveOrders() {
  const asked = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (result) return <ApprovedOrders {...result} back={{ to: result.queue, label: "Back to the queue" }} />;
  const { ready, refused } = asked;
  return (
    <AskAboutOrders
      {...asked}
      title="Approve orders"
      none="None of the selected orders can be approved."
      question={`Are you sure you wish to approve ${counted(ready.length, "order")} and issue the certificate${ready.length === 1 ? "" : "s"}? This process cannot be reversed.`}
      confirmLabel="Approve"
      captions={{ ready: "Orders to approve", refused: "Orders that cannot be approved" }}
      columns={[marksColumn]}
      fields={{ notReady: joinedIds(refused) }}
    />
  );
}

export const meta = pageTitle("Approve orders");
