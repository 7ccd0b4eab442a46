import cronstrue from "cronstrue";
import { withTolerance } from "~/lib/clock";
import { type Job } from "~db/repositories/jobs.server";
import { LEASE_MS, listJobStates } from "./run.service.server";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Returns a number of milliseconds as text, such as '12 ms', '3.4 s' or '2 min 5 s'. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`;
}

/** Returns a schedule in words. `schedule` is a cron pattern of six fields, seconds first: `0 40 2 * * *` becomes 'At 02:40'. */
const scheduleText = (schedule: string): string => cronstrue.toString(schedule, { use24HourTimeFormat: true });

/** `Interrupted` means that the process stopped before its job had ended. Another process will run the job again. */
export type JobState = "Not run yet" | "Running" | "Succeeded" | "Failed" | "Interrupted";

/**
 * Returns the state of a job from its row. A lease that ends later than a lease of now can end was written with a wrong clock; it counts as
 * ended, as in `runDueJobs`.
 */
function stateOf(row: Job, now: Date): JobState {
  const longest = withTolerance(new Date(now.getTime() + LEASE_MS)).toISOString();
  if (row.leasedUntil !== null && row.leasedUntil > now.toISOString() && row.leasedUntil <= longest) return "Running";
  if (row.lastStartedAt === null) return "Not run yet";
  if (row.lastFinishedAt === null || row.leasedBy !== null) return "Interrupted";
  return row.lastError === null ? "Succeeded" : "Failed";
}

/** Returns every job for the administrators' page: what it does and when, the outcome of its last run, and its last failure. */
export async function loadJobs(now = new Date()) {
  return (await listJobStates()).map(({ job: { name, about, schedule }, row }) => ({
    name,
    about,
    schedule: scheduleText(schedule),
    state: row ? stateOf(row, now) : "Not run yet",
    startedAt: row?.lastStartedAt ?? null,
    finishedAt: row?.lastFinishedAt ?? null,
    duration: row && row.lastDurationMs !== null ? formatDuration(row.lastDurationMs) : null,
    result: row?.lastResult ?? null,
    error: row?.lastError ?? null,
    nextRunAt: row?.nextRunAt ?? null,
    failedAt: row?.lastFailedAt ?? null,
    failure: row?.lastFailure ?? null,
  }));
}

export type JobStatus = Awaited<ReturnType<typeof loadJobs>>[number];
