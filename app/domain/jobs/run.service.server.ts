import { Cron } from "croner";
import { getDb } from "~db/connection.server";
import {
  claimJob,
  finishJob,
  insertMissingJobs,
  type Job,
  listDueJobs,
  listJobs,
  prolongJob,
} from "~db/repositories/jobs.server";
import { type JobDefinition, JOBS } from "./catalogue.server";

/** After a crash another process takes the job over within this time. */
const LEASE_MS = 60_000;

/** The schedule's next moment after `after`. */
export function nextRun(schedule: string, after: Date): Date {
  const next = new Cron(schedule, { timezone: "UTC", paused: true }).nextRun(after);
  if (!next) throw new RangeError(`The schedule '${schedule}' never comes.`);
  return next;
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
  const reports = (await listDueJobs(getDb(), now)).map(async (name) => {
    const job = definitionOf(name, jobs);
    const until = new Date(now.getTime() + LEASE_MS);
    if (!job || !(await claimJob(getDb(), { name, owner, now, until }))) return null;
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
