import { Counter, Gauge, Registry } from "prom-client";
import { lateFrom, TIMETABLE } from "~/domain/jobs/timetable.server";
import { logError } from "~/lib/log.server";
import { memoize } from "~/lib/memoize.server";
import { CERTIFICATE_STATUSES } from "~db/tables/certificates";
import { type Figures, type Health, readFigures } from "./portal-figures.server";

/** How many milliseconds the figures of the database are reused, so that frequent requests cost little. */
const CACHE_MS = 15_000;

/** Returns an ISO timestamp in seconds since 1970, or 0 for something that should exist and does not, which counts as ended long ago. */
const seconds = (iso: string | null) => (iso === null ? 0 : Date.parse(iso) / 1000);

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
      "When the oldest message that waits could first be sent; held messages do not count",
    ),
    deliveries: gauge(
      "webhook_deliveries",
      "Messages to webhooks that are not paused: waiting for their first try, or failing",
      ["state"],
    ),
    oldestDelivery: gauge(
      "webhook_oldest_timestamp_seconds",
      "When the oldest message to a webhook that is not paused was queued",
    ),
    lastRun: gauge("job_last_run_timestamp_seconds", "When the job's last run ended", ["job"]),
    lastSuccess: gauge("job_last_success_timestamp_seconds", "When the job last succeeded", ["job"]),
    lateFrom: gauge("job_late_timestamp_seconds", "When the job counts as late unless it succeeds before", ["job"]),
    nextRun: gauge("job_next_run_timestamp_seconds", "When the job is due", ["job"]),
    duration: gauge("job_last_duration_seconds", "How long the job's last run took", ["job"]),
    failures: new Counter({
      name: "marque_job_failures_total",
      help: "Runs of the job that failed, of all processes",
      labelNames: ["job"],
      registers,
    }),
    refused: gauge(
      "mail_refused_messages",
      "Messages that a mail server refused for the first time within the last hour, and that are still not sent",
    ),
    listEnd: gauge("crl_next_update_timestamp_seconds", "End of the CA's latest CRL, 0 without one", [
      "authority",
      "level",
      "kind",
    ]),
    responderEnd: gauge(
      "ocsp_responder_end_timestamp_seconds",
      "End of the certificate of the CA's OCSP responder, 0 without one",
      ["authority"],
    ),
    replacement: gauge(
      "issuing_ca_replacement_timestamp_seconds",
      "When the issuing CA of new orders becomes too short for the longest validity",
      ["authority"],
    ),
    keyUsable: gauge("authority_key_usable", "Whether the key of the issuing CA can be opened", ["authority"]),
    signerUp: gauge("signer_up", "Whether the signer answers; missing without a signer"),
    signerCeiling: gauge("signer_ceiling_ratio", "The part of the signer's daily ceiling that is used, from 0 to 1"),
    checkpoint: gauge("audit_checkpoint_timestamp_seconds", "When the audit trail's latest checkpoint was signed"),
    unsigned: gauge("audit_unsigned_entries", "Entries of the audit trail after its latest checkpoint"),
    trailProblems: gauge("audit_problems", "Problems that the latest verification of the audit trail found", [
      "verification",
    ]),
    unsound: gauge("audit_findings", "Open findings of the nightly audit of everything that was issued"),
    diskFree: gauge("disk_free_ratio", "The part of the folder's disk that is free, from 0 to 1", ["folder"]),
    tlsEnd: gauge("tls_certificate_end_timestamp_seconds", "End of the certificate that PUBLIC_URL serves"),
  };
}

type Metrics = ReturnType<typeof makeMetrics>;

function setJobs(metrics: Metrics, jobs: Health["jobs"]): void {
  const { lastRun, lastSuccess, nextRun, duration, failures } = metrics;
  for (const { name: job, ...row } of jobs) {
    const entry = TIMETABLE.find(({ name }) => name === job);
    if (!entry) continue; // a job of another version
    nextRun.set({ job }, seconds(row.nextRunAt));
    metrics.lateFrom.set({ job }, lateFrom(entry.schedule, row).getTime() / 1000);
    failures.inc({ job }, row.failures);
    if (row.lastFinishedAt !== null) lastRun.set({ job }, seconds(row.lastFinishedAt));
    if (row.lastSucceededAt !== null) lastSuccess.set({ job }, seconds(row.lastSucceededAt));
    if (row.lastDurationMs !== null) duration.set({ job }, row.lastDurationMs / 1000);
  }
}

function setHealth(metrics: Metrics, health: Health): void {
  const { refused, jobs, lists, responders, replacement, keys, signer, verifications, disks, tls, unsound } = health;
  metrics.databaseUp.set(1);
  metrics.refused.set(refused);
  metrics.unsound.set(unsound);
  setJobs(metrics, jobs);
  for (const { authority, level, kind, nextUpdate } of lists)
    metrics.listEnd.set({ authority, level, kind }, seconds(nextUpdate));
  for (const { name, notAfter } of responders) metrics.responderEnd.set({ authority: name }, seconds(notAfter));
  if (replacement) metrics.replacement.set({ authority: replacement.authority }, seconds(replacement.until));
  for (const { name, isUsable } of keys) metrics.keyUsable.set({ authority: name }, isUsable ? 1 : 0);
  if (signer) metrics.signerUp.set(signer.isUp ? 1 : 0);
  if (signer && signer.ceilingUsed !== null) metrics.signerCeiling.set(signer.ceilingUsed);
  for (const { name, problems } of verifications) metrics.trailProblems.set({ verification: name }, problems);
  for (const { folder, free } of disks) metrics.diskFree.set({ folder }, free);
  if (tls && "notAfter" in tls) metrics.tlsEnd.set(seconds(tls.notAfter));
}

function setAll(metrics: Metrics, { certificates, mail, webhooks, audit, health }: Figures): void {
  const counts = new Map(certificates.map(({ status, count }) => [status, count]));
  for (const status of CERTIFICATE_STATUSES) metrics.certificates.set({ status }, counts.get(status) ?? 0);
  metrics.mails.set({ state: "waiting" }, mail.waiting);
  metrics.mails.set({ state: "failing" }, mail.failing);
  metrics.mails.set({ state: "rejected" }, mail.rejected);
  metrics.mails.set({ state: "held" }, mail.held);
  if (mail.oldest !== null) metrics.oldestMail.set(seconds(mail.oldest));
  metrics.deliveries.set({ state: "waiting" }, webhooks.waiting);
  metrics.deliveries.set({ state: "failing" }, webhooks.failing);
  if (webhooks.oldest !== null) metrics.oldestDelivery.set(seconds(webhooks.oldest));
  if (audit.at !== null) metrics.checkpoint.set(seconds(audit.at));
  metrics.unsigned.set(audit.unsigned);
  setHealth(metrics, health);
}

async function exposition(now: Date): Promise<string> {
  const metrics = makeMetrics();
  const figures = await readFigures(now).catch((error: unknown) => void logError(error, { code: "metrics" }));
  if (figures) setAll(metrics, figures);
  else metrics.databaseUp.set(0);
  return metrics.registry.metrics();
}

export interface Sample {
  labels: Partial<Record<string, string | number>>;
  value: number;
}

/** Returns the samples of the metrics that state the health of the portal, by the name of the metric. */
export async function samplesOf(health: Health): Promise<Map<string, readonly Sample[]>> {
  const metrics = makeMetrics();
  setHealth(metrics, health);
  return new Map((await metrics.registry.getMetricsAsJSON()).map(({ name, values }) => [name, values]));
}

interface CachedFigures {
  until: number;
  text: Promise<string>;
}

/** The latest metrics. */
export const lastFigures = memoize((): { cached?: CachedFigures } => ({}));

/**
 * Returns what the database knows in Prometheus' text format. The figures are at most 15 seconds old, and requests in that time share them.
 * When the database does not answer, `marque_database_up` is 0 and the other figures are left out.
 */
export function portalMetrics(now = Date.now()): Promise<string> {
  const { cached } = lastFigures();
  // After a clock is set back, `until` may be too far ahead. The old figures are not used then.
  if (cached && now < cached.until && cached.until <= now + CACHE_MS) return cached.text;
  const text = exposition(new Date(now));
  lastFigures().cached = { until: now + CACHE_MS, text };
  return text;
}
