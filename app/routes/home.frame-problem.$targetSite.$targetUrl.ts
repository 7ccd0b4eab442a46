import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { findFrameProblem } from "~/domain/frame/frame-problem.server";
import { requireUser } from "~/http/guard.server";
import { notFound } from "~/lib/errors";

/**
 * Answers why a framed form stays empty, because browsers do not tell a page why a frame of another site is empty.
 * Without an answer the page shows the frame as it is.
 */
export async function loader({ request, params: { targetSite, targetUrl } }: LoaderFunctionArgs) {
  const { id } = await requireUser(request);
  if (!targetSite || !targetUrl) throw notFound();
  const problem = await findFrameProblem(id, targetSite, targetUrl);
  return json({ problem }, { headers: { "Cache-Control": "no-store" } });
}
