import { setTimeout as sleep } from "node:timers/promises";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type Actor } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type JobDefinition, JOBS } from "./catalogue.server";
import { jobOwner, logFailure } from "./jobs.service.server";
import { beginJob, type RunReport } from "./run.service.server";

interface Options {
  /** How many milliseconds to wait for the end. By default, waits as long as the job takes. */
  within?: number;
  jobs?: readonly JobDefinition[];
}

/** Returns the report of a run, or null when the run does not end in time. Later failures are then logged. */
async function awaited(finished: Promise<RunReport>, within: number): Promise<RunReport | null> {
  const report = await Promise.race([finished, sleep(within, null, { ref: false })]);
  if (!report) {
    const noted = finished.then(({ name, error }) => error && logFailure(name, error));
    noted.catch((error: unknown) => logFailure("jobs", error instanceof Error ? error : new Error(String(error))));
  }
  return report;
}

/**
 * Runs a job now because somebody asks for it, whether or not it is due, and records an audit entry. Returns the outcome in words. A job
 * that takes longer than `within` continues in the background. Throws a PortalError when the job does not exist (404), is already running
 * here or elsewhere (409), or failed.
 */
export async function runJobByHand(name: string, actor: Actor, { within, jobs = JOBS }: Options = {}): Promise<string> {
  await requireTask(getDb(), actor, "run-jobs");
  const run = await beginJob(name, { owner: jobOwner(), actor, jobs });
  if (!run)
    throw new PortalError(`The job '${name}' is already running. Try again when it has ended.`, {
      code: "job.running",
      status: 409,
    });
  const report = within === undefined ? await run.finished : await awaited(run.finished, within);
  if (!report) return `The job '${name}' is still running. How it ends will be listed here.`;
  if (report.error) {
    logFailure(name, report.error);
    throw new PortalError(`The job '${name}' failed: ${report.error.message}`, { code: "job.failed" });
  }
  return `The job '${name}' has run: ${report.result}.`;
}
