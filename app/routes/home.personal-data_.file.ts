import { type LoaderFunctionArgs } from "@remix-run/node";
import { exportPersonalData } from "~/domain/accounts/personal-data/export.service.server";
import { streamedFile } from "~/http/files.server";
import { requireUserFor } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";

/** Returns everything that the portal holds about the user, as a JSON file. */
export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUserFor(request, "missingDetails");
  await requireStepUp(request, user, "file");
  return streamedFile(await exportPersonalData(user, user.id));
}
