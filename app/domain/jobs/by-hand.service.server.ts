import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type Actor } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type JobDefinition, JOBS } from "./catalogue.server";
import { jobOwner, logFailure } from "./jobs.service.server";
import { beginJob } from "./run.service.server";

/**
 * Runs a job now because somebody asks for it, whether or not it is due, and records an audit entry. Returns the outcome in words. Throws a
 * PortalError when the job does not exist (404), is already running here or elsewhere (409), or failed.
 */
export async function runJobByHand(
  name: string,
  actor: Actor,
  { jobs = JOBS }: { jobs?: readonly JobDefinition[] } = {},
): Promise<string> {
  await requireTask(getDb(), actor, "run-jobs");
  const run = await beginJob(name, { owner: jobOwner(), actor, jobs });
  if (!run)
    throw new PortalError(
      `The job '${name}' is already running. Try again when it has ended. A run that was killed counts as running for a minute.`,
      {
        code: "job.running",
        status: 409,
      },
    );
  const report = await run.finished;
  if (report.error) {
    logFailure(name, report.error);
    throw new PortalError(`The job '${name}' failed: ${report.error.message}`, { code: "job.failed" });
  }
  return `The job '${name}' has run: ${report.result}.`;
}
