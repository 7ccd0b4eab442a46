import cronstrue from "cronstrue";
import { withTolerance } from "~/lib/clock";
import { type Job } from "~db/repositories/jobs.server";
import { LEASE_MS, listJobStates } from "./run.service.server";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Milliseconds → '12 ms', '3.4 s', '2 min 5 s'. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`;
}

/** A cron pattern with seconds in words: `0 40 2 * * *` → 'At 02:40'. */
const scheduleText = (schedule: string): string => cronstrue.toString(schedule, { use24HourTimeFormat: true });

/** `Interrupted`: it began and its process ended before it did; another one takes it over. */
export type JobState = "Not run yet" | "Running" | "Succeeded" | "Failed" | "Interrupted";

/** By the job's row; a lease that ends later than any can counts as ended, as for the runner. */
function stateOf(row: Job, now: Date): JobState {
  const longest = withTolerance(new Date(now.getTime() + LEASE_MS)).toISOString();
  if (row.leasedUntil !== null && row.leasedUntil > now.toISOString() && row.leasedUntil <= longest) return "Running";
  if (row.lastStartedAt === null) return "Not run yet";
  if (row.lastFinishedAt === null || row.leasedBy !== null) return "Interrupted";
  return row.lastError === null ? "Succeeded" : "Failed";
}

/** Every job for the page of administrators: what it does and when, how its last run went, and what last went wrong. */
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
