import { type LoaderFunctionArgs } from "@remix-run/node";
import { readMetrics } from "~/domain/metrics/metrics.service.server";
import { bringsSecret, plainAnswer, secretMissing } from "~/http/bearer.server";
import { getEnv } from "~/lib/env.server";

/** The media type of Prometheus' text format. */
const MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Returns the metrics for requests with METRICS_TOKEN. Without that setting the page does not exist (docs/decisions/0028). */
export async function loader({ request }: LoaderFunctionArgs) {
  const { metricsToken } = getEnv();
  if (!metricsToken) return plainAnswer(404, "There are no metrics: METRICS_TOKEN is not set.");
  if (!bringsSecret(request, metricsToken)) return secretMissing(request, "The token is missing or wrong.");
  return new Response(await readMetrics(), { headers: { "Content-Type": MEDIA_TYPE, "Cache-Control": "no-store" } });
}
