import { type LoaderFunctionArgs } from "@remix-run/node";
import { securityEventList } from "~/domain/security-events/list";
import { exportSecurityEvents } from "~/domain/security-events/list.service.server";
import { fileResponse } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";

/** Returns the security events that a search finds, as a CSV file, and records the export. */
export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-security-events");
  await requireStepUp(request, user, "file");
  return fileResponse(
    await exportSecurityEvents(securityEventList.read(new URL(request.url).searchParams), user.actor),
  );
}
