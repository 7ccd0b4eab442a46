import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { exportQueue } from "~/domain/certificates/queue/queue-export.service.server";
import { selectionProblem } from "~/domain/certificates/queue/queue-fields";
import { LIST_FIELD } from "~/domain/certificates/queue/queue-list";
import { queueIn, selectedIds } from "~/domain/certificates/queue/queue-selection.server";
import { csvResponse } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";

/** Returns the selected orders of the queue as a CSV file. */
export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-queue");
  await requireStepUp(request, user, "file");
  const query = new URL(request.url).searchParams;
  const ids = selectedIds(query.getAll("id"));
  const problem = selectionProblem(ids);
  if (problem) return redirect(queueIn(query.get(LIST_FIELD), problem));
  return csvResponse(await exportQueue(ids, user.actor), "certificate-queue.csv");
}
