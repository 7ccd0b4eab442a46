import { Counter, Gauge, Registry } from "prom-client";
import { JOBS } from "~/domain/jobs/catalogue.server";
import { logError } from "~/lib/log.server";
import { memoize } from "~/lib/memoize.server";
import { CERTIFICATE_STATUSES } from "~db/tables/certificates";
import { type Figures, readFigures } from "./portal-figures.server";

/** How many milliseconds the figures of the database are reused, so that frequent requests cost little. */
const KEPT_MS = 15_000;

const seconds = (iso: string) => Date.parse(iso) / 1000;

/** Creates the metrics in a registry of their own. They are the same in every process, so they must not be added up. */
function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) => {
    const made = new Gauge({ name: `marque_${name}`, help, labelNames, registers });
    if (labelNames.length === 0) made.remove(); // a gauge without labels starts at 0, which as a timestamp would be in 1970
    return made;
  };
  return {
    registry,
    databaseUp: gauge("database_up", "Whether the database answers"),
    certificates: gauge("certificates", "Certificates and their orders by status", ["status"]),
    mails: gauge(
      "mail_queue_messages",
      "Messages that are not sent: waiting for their first try, failing, rejected, or held",
      ["state"],
    ),
    oldestMail: gauge(
      "mail_queue_oldest_timestamp_seconds",
      "Since when the oldest message can be sent that is still to be sent; held messages do not count",
    ),
    lastRun: gauge("job_last_run_timestamp_seconds", "When the job's last run ended", ["job"]),
    lastSuccess: gauge("job_last_success_timestamp_seconds", "When the job last succeeded", ["job"]),
    nextRun: gauge("job_next_run_timestamp_seconds", "When the job is due", ["job"]),
    duration: gauge("job_last_duration_seconds", "How long the job's last run took", ["job"]),
    failures: new Counter({
      name: "marque_job_failures_total",
      help: "Runs of the job that failed, of all processes",
      labelNames: ["job"],
      registers,
    }),
    listEnd: gauge("crl_next_update_timestamp_seconds", "End of the CA's latest list", ["authority", "kind"]),
    checkpoint: gauge("audit_checkpoint_timestamp_seconds", "When the audit trail's latest checkpoint was signed"),
    unsigned: gauge("audit_unsigned_entries", "Entries of the audit trail after its latest checkpoint"),
  };
}

type Metrics = ReturnType<typeof makeMetrics>;

function setJobs({ lastRun, lastSuccess, nextRun, duration, failures }: Metrics, jobs: Figures["jobs"]): void {
  for (const { name: job, ...row } of jobs) {
    if (!JOBS.some(({ name }) => name === job)) continue; // a job of another version
    nextRun.set({ job }, seconds(row.nextRunAt));
    failures.inc({ job }, row.failures);
    if (row.lastFinishedAt !== null) lastRun.set({ job }, seconds(row.lastFinishedAt));
    if (row.lastSucceededAt !== null) lastSuccess.set({ job }, seconds(row.lastSucceededAt));
    if (row.lastDurationMs !== null) duration.set({ job }, row.lastDurationMs / 1000);
  }
}

function setAll(metrics: Metrics, { certificates, mail, jobs, lists, audit }: Figures): void {
  const counts = new Map(certificates.map(({ status, count }) => [status, count]));
  for (const status of CERTIFICATE_STATUSES) metrics.certificates.set({ status }, counts.get(status) ?? 0);
  metrics.mails.set({ state: "waiting" }, mail.waiting);
  metrics.mails.set({ state: "failing" }, mail.failing);
  metrics.mails.set({ state: "rejected" }, mail.rejected);
  metrics.mails.set({ state: "held" }, mail.held);
  if (mail.oldest !== null) metrics.oldestMail.set(seconds(mail.oldest));
  setJobs(metrics, jobs);
  for (const { authority, kind, nextUpdate } of lists) metrics.listEnd.set({ authority, kind }, seconds(nextUpdate));
  if (audit.at !== null) metrics.checkpoint.set(seconds(audit.at));
  metrics.unsigned.set(audit.unsigned);
}

async function exposition(): Promise<string> {
  const metrics = makeMetrics();
  const figures = await readFigures().catch((error: unknown) => void logError(error, { code: "metrics" }));
  metrics.databaseUp.set(figures ? 1 : 0);
  if (figures) setAll(metrics, figures);
  return metrics.registry.metrics();
}

interface Kept {
  until: number;
  text: Promise<string>;
}

/** The latest metrics. */
export const lastFigures = memoize((): { kept?: Kept } => ({}));

/**
 * Returns what the database knows in Prometheus' text format. The figures are at most 15 seconds old, and requests in that time share them.
 * When the database does not answer, `marque_database_up` is 0 and the other figures are left out.
 */
export function portalMetrics(now = Date.now()): Promise<string> {
  const { kept } = lastFigures();
  // After a clock is set back, `until` may be too far ahead. The old figures are not used then.
  if (kept && now < kept.until && kept.until <= now + KEPT_MS) return kept.text;
  const text = exposition();
  lastFigures().kept = { until: now + KEPT_MS, text };
  return text;
}
