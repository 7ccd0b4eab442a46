import { Cron } from "croner";
import { withTolerance } from "~/lib/clock";
import { getDb } from "~db/connection.server";
import { claimJob, finishJob, insertMissingJobs, type Job, listJobs, prolongJob } from "~db/repositories/jobs.server";
import { type JobDefinition, JOBS } from "./catalogue.server";

/** After a crash another process takes the job over within this time. */
const LEASE_MS = 60_000;

/** The schedule's next moment after `after`. */
export function nextRun(schedule: string, after: Date): Date {
  const next = new Cron(schedule, { timezone: "UTC", paused: true }).nextRun(after);
  if (!next) throw new RangeError(`The schedule '${schedule}' never comes.`);
  return next;
}

/**
 * Whether a job has nothing to do or is running, by its row: asked before it is claimed, which is a write. A next run or the end
 * of a lease further ahead than it can be (a clock that was wrong) counts as past.
 */
function isWaiting({ nextRunAt, leasedUntil }: Job, { now, until, latest }: Record<"now" | "until" | "latest", Date>) {
  const isAhead = (moment: string, limit: Date) => moment > now.toISOString() && moment <= limit.toISOString();
  return isAhead(nextRunAt, latest) || (leasedUntil !== null && isAhead(leasedUntil, withTolerance(until)));
}

const definitionOf = (name: string, jobs: readonly JobDefinition[]) => jobs.find((job) => job.name === name);

export interface RunReport {
  name: string;
  result: string | null;
  error: Error | null;
}

/** Runs a job that the owner has leased, prolongs the lease while it lasts, and notes the outcome. */
async function runLeased(job: JobDefinition, owner: string, now: Date): Promise<RunReport> {
  const offset = now.getTime() - Date.now();
  const clock = (later = 0) => new Date(Date.now() + offset + later);
  const prolong = () =>
    void prolongJob(getDb(), { name: job.name, owner, until: clock(LEASE_MS) }).catch(() => undefined);
  const heartbeat = new Cron("*/20 * * * * *", { unref: true }, prolong);
  const report: RunReport = { name: job.name, result: null, error: null };
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
    result: report.result,
    error: report.error?.message ?? null,
  });
  return report;
}

/**
 * Runs every job that is due and that no other process holds, all at a time. Out: a report for each that ran here;
 * a job's failure is in its report and row, and is tried again at its next turn.
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
    if (isWaiting(row, lease) || !(await claimJob(getDb(), lease))) return null;
    return runLeased(job, owner, now);
  });
  return (await Promise.all(reports)).filter((report) => report !== null);
}

/** Makes the rows of jobs that are new in this version. */
export const prepareJobs = (now = new Date(), jobs: readonly JobDefinition[] = JOBS): Promise<void> =>
  insertMissingJobs(
    getDb(),
    jobs.map(({ name }) => name),
    now,
  );

/** Runs one job now, due or not. Out: null when another process is running it. Throws RangeError on an unknown name. */
export async function runJob(name: string, owner: string, now = new Date()): Promise<RunReport | null> {
  const job = definitionOf(name, JOBS);
  if (!job) throw new RangeError(`There is no job '${name}'. Jobs: ${JOBS.map((known) => known.name).join(", ")}.`);
  await prepareJobs(now);
  const isMine = await claimJob(getDb(), { name, owner, now, until: new Date(now.getTime() + LEASE_MS) }, true);
  return isMine ? runLeased(job, owner, now) : null;
}

/** The jobs with their rows; `row` is null before the first start. */
export async function listJobStates(): Promise<{ job: JobDefinition; row: Job | null }[]> {
  const rows = await listJobs(getDb());
  return JOBS.map((job) => ({ job, row: rows.find(({ name }) => name === job.name) ?? null }));
}
