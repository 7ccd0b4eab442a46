import { type LoaderFunctionArgs } from "@remix-run/node";
import { exportPersonalData } from "~/domain/accounts/personal-data/export.service.server";
import { streamedFile } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";
import { readId } from "~/lib/ids";

/** Returns everything that the portal holds about a person, as a JSON file for this person. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const admin = await requireUser(request, "change-users");
  await requireStepUp(request, admin, "file");
  return streamedFile(await exportPersonalData(admin, readId(params.id)));
}
