import { portalMetrics } from "./portal-metrics.server";
import { processMetrics } from "./process-metrics.server";

/** Returns all metrics in Prometheus' text format, version 0.0.4. */
export async function readMetrics(): Promise<string> {
  const [ofProcesses, ofPortal] = await Promise.all([processMetrics(), portalMetrics()]);
  return `${ofProcesses.trimEnd()}\n${ofPortal}`;
}
