import { type LoaderFunctionArgs } from "@remix-run/node";
import { trailList } from "~/domain/audit/trail-list";
import { exportTrail } from "~/domain/audit/trail.service.server";
import { fileResponse } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";

/** Returns the audit entries that a search finds, as a CSV file, and records the export. */
export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-audit-trail");
  await requireStepUp(request, user, "file");
  return fileResponse(await exportTrail(trailList.read(new URL(request.url).searchParams), user.actor));
}
