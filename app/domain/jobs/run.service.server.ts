import { Cron } from "croner";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { isApprovingAnywhere } from "~/domain/certificates/issuing/groups.server";
import { withTolerance } from "~/lib/clock";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { claimJob, finishJob, insertMissingJobs, type Job, listJobs, prolongJob } from "~db/repositories/jobs.server";
import { inTransaction } from "~db/transaction.server";
import { type JobDefinition, JOBS } from "./catalogue.server";
import { nextRun } from "./timetable.server";

/** How long a lease lasts, in milliseconds. After a crash, another process takes the job over within this time. */
export const LEASE_MS = 60_000;

/**
 * Returns whether the row of a job says that it is not due or is running. This is checked before the job is claimed, because claiming
 * writes to the database. A next run or an end of a lease that lies further ahead than possible, because a clock was wrong, counts as past.
 */
function isWaiting({ nextRunAt, leasedUntil }: Job, { now, until, latest }: Record<"now" | "until" | "latest", Date>) {
  const isAhead = (timestamp: string, limit: Date) => timestamp > now.toISOString() && timestamp <= limit.toISOString();
  return isAhead(nextRunAt, latest) || (leasedUntil !== null && isAhead(leasedUntil, withTolerance(until)));
}

/** Returns whether a due job waits because orders are being approved, here or in another process. People wait for the answers. */
async function givesWay({ givesWayMs = 0 }: JobDefinition, { nextRunAt }: Job, now: Date): Promise<boolean> {
  const late = now.getTime() - new Date(nextRunAt).getTime();
  if (late < 0 || late >= givesWayMs) return false;
  return isApprovingAnywhere(now);
}

const definitionOf = (name: string, jobs: readonly JobDefinition[]) => jobs.find((job) => job.name === name);

export interface RunReport {
  name: string;
  result: string | null;
  error: Error | null;
}

/** Runs a job that the owner has leased. Extends the lease while the job runs, and stores the outcome. */
async function runLeased(job: JobDefinition, owner: string, now: Date): Promise<RunReport> {
  const offset = now.getTime() - Date.now();
  const clock = (later = 0) => new Date(Date.now() + offset + later);
  const prolong = () =>
    void prolongJob(getDb(), { name: job.name, owner, until: clock(LEASE_MS) }).catch(() => undefined);
  const heartbeat = new Cron("*/20 * * * * *", { unref: true }, prolong);
  const report: RunReport = { name: job.name, result: null, error: null };
  const started = performance.now();
  try {
    report.result = await job.run(now);
  } catch (error) {
    report.error = error instanceof Error ? error : new Error(String(error));
  } finally {
    heartbeat.stop();
  }
  await finishJob(getDb(), {
    name: job.name,
    owner,
    now: clock(),
    nextRunAt: nextRun(job.schedule, clock()),
    durationMs: performance.now() - started,
    result: report.result,
    error: report.error?.message ?? null,
  });
  return report;
}

/**
 * Runs every job that is due and not leased by another process, all at the same time. Returns a report for each job that ran here. A
 * failure is in the report and the row of the job, and the job runs again at its next time.
 */
export async function runDueJobs(
  now: Date,
  owner: string,
  jobs: readonly JobDefinition[] = JOBS,
): Promise<RunReport[]> {
  const until = new Date(now.getTime() + LEASE_MS);
  const reports = (await listJobs(getDb())).map(async (row) => {
    const job = definitionOf(row.name, jobs);
    if (!job) return null;
    const lease = { name: row.name, owner, now, until, latest: nextRun(job.schedule, withTolerance(now)) };
    if (isWaiting(row, lease) || (await givesWay(job, row, now)) || !(await claimJob(getDb(), lease))) return null;
    return runLeased(job, owner, now);
  });
  return (await Promise.all(reports)).filter((report) => report !== null);
}

/** Inserts the rows of jobs that are new in this version. */
export const prepareJobs = (now = new Date(), jobs: readonly JobDefinition[] = JOBS): Promise<void> =>
  insertMissingJobs(
    getDb(),
    jobs.map(({ name }) => name),
    now,
  );

export interface Begin {
  owner: string;
  now?: Date;
  /** Who asked for the run, for the audit trail. Without an actor, no entry is recorded. */
  actor?: Actor;
  jobs?: readonly JobDefinition[];
}

/**
 * Leases a job, whether or not it is due. The audit entry about who asked for it is recorded in the same transaction. Returns false when
 * somebody else is running the job.
 */
const leaseNow = (name: string, { owner, now, actor }: { owner: string; now: Date; actor?: Actor }) =>
  inTransaction(async (trx) => {
    const lease = { name, owner, now, until: new Date(now.getTime() + LEASE_MS) };
    if (!(await claimJob(trx, lease, true))) return false;
    const entry = { event: "job.started", message: `Started the job '${name}' by hand.`, reference: name };
    if (actor) await recordAudit(trx, { actor, ...entry }, now);
    return true;
  });

const unknownJob = (name: string, jobs: readonly JobDefinition[]) =>
  new PortalError(`There is no job '${name}'. Jobs: ${jobs.map((known) => known.name).join(", ")}.`, {
    code: "job.unknown",
    status: 404,
  });

/**
 * Starts a job now, whether or not it is due, under the same lease as the runner. Returns `finished`, which resolves to the report of the
 * run, or null when another process is running the job. Throws a PortalError (404) when the job does not exist.
 */
export async function beginJob(
  name: string,
  { owner, now = new Date(), actor, jobs = JOBS }: Begin,
): Promise<{ finished: Promise<RunReport> } | null> {
  const job = definitionOf(name, jobs);
  if (!job) throw unknownJob(name, jobs);
  await prepareJobs(now, jobs);
  return (await leaseNow(name, { owner, now, actor })) ? { finished: runLeased(job, owner, now) } : null;
}

/**
 * Runs a job now, whether or not it is due. Returns its report, or null when another process is running it. Throws a PortalError (404) when
 * the job does not exist.
 */
export async function runJob(name: string, owner: string, now = new Date()): Promise<RunReport | null> {
  const run = await beginJob(name, { owner, now });
  return run && run.finished;
}

/** Returns the jobs with their rows. `row` is null before the first start. */
export async function listJobStates(): Promise<{ job: JobDefinition; row: Job | null }[]> {
  const rows = await listJobs(getDb());
  return JOBS.map((job) => ({ job, row: rows.find(({ name }) => name === job.name) ?? null }));
}
