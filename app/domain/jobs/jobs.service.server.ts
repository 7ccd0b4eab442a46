import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { Cron } from "croner";
import { log } from "~/lib/log.server";
import { prepareJobs, runDueJobs, type RunReport } from "./run.service.server";

/** Returns a unique name for this process. It is stored in the rows of the jobs that the process runs. */
export const jobOwner = (): string => `${hostname().slice(0, 80)}:${process.pid}:${randomBytes(4).toString("hex")}`;

export interface JobsOptions {
  /**
   * Called for every job that fails. It gets the name `jobs` when the due jobs could not be found or claimed, such as without a database.
   * The default logs the error.
   */
  onError?: (name: string, error: Error) => void;
}

/** Logs that a job failed. */
export const logFailure = (name: string, error: Error) => log().error({ job: name, err: error }, "job failed");

/**
 * Runs the due jobs now and then every second. Any number of processes may do so at the same time. `stop` starts no more jobs, and resolves
 * when those that this process is running have ended.
 */
export function startJobs({ onError = logFailure }: JobsOptions = {}): { stop(): Promise<void> } {
  const owner = jobOwner();
  const rounds = new Set<Promise<void>>();
  let isPrepared = false;

  async function round(): Promise<void> {
    try {
      if (!isPrepared) await prepareJobs();
      isPrepared = true;
      const reports: RunReport[] = await runDueJobs(new Date(), owner);
      for (const { name, error } of reports) if (error) onError(name, error);
    } catch (error) {
      onError("jobs", error instanceof Error ? error : new Error(String(error)));
    }
  }

  const begin = () => {
    const running = round().finally(() => rounds.delete(running));
    rounds.add(running);
  };
  const timer = new Cron("* * * * * *", begin);
  begin();
  return {
    async stop() {
      timer.stop();
      await Promise.all(rounds);
    },
  };
}
