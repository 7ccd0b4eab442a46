import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { findFrameProblem } from "~/domain/frame/frame-problem.server";
import { requireUser } from "~/http/guard.server";
import { notFound } from "~/lib/errors";

/** What the page of a framed form asks: a browser does not tell a page why a frame of another site stays empty. */
export async function loader({ request, params: { targetSite, targetUrl } }: LoaderFunctionArgs) {
  await requireUser(request);
  if (!targetSite || !targetUrl) throw notFound();
  return json({ problem: await findFrameProblem(targetSite, targetUrl) }, { headers: { "Cache-Control": "no-store" } });
}
