import { type LoaderFunctionArgs } from "@remix-run/node";
import { userTrailList } from "~/domain/audit/trail-list";
import { exportUserTrail } from "~/domain/audit/trail.service.server";
import { fileResponse } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";
import { readId } from "~/lib/ids";

/** Returns the entries of an account that a search finds, as a CSV file, and records the export. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireUser(request, "see-users");
  await requireStepUp(request, viewer, "file");
  const wanted = userTrailList.read(new URL(request.url).searchParams);
  return fileResponse(await exportUserTrail(readId(params.id), wanted, viewer.actor));
}
