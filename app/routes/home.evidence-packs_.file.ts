import { type LoaderFunctionArgs } from "@remix-run/node";
import { readPackQuery } from "~/domain/evidence/pack-query";
import { makePack } from "~/domain/evidence/pack.service.server";
import { streamedFile } from "~/http/files.server";
import { redirectWithToast } from "~/http/flash.server";
import { requireUser } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";
import { PortalError } from "~/lib/errors";
import { evidencePaths } from "~/lib/evidence-paths";

/**
 * Makes an evidence pack, records it and returns it as a ZIP archive. Staff must prove who they are. When there can be no pack, redirects to
 * the page, which says why.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-evidence");
  await requireStepUp(request, user, "file");
  // A HEAD request makes no pack.
  if (request.method === "HEAD") return new Response(null);
  const query = readPackQuery(new URL(request.url).searchParams);
  try {
    return streamedFile(await makePack(query, user.actor));
  } catch (error) {
    if (error instanceof PortalError)
      throw await redirectWithToast(request, evidencePaths.page(query), { kind: "warn", text: error.message });
    throw error;
  }
}
