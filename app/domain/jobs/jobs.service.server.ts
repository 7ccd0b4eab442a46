import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { Cron } from "croner";
import { log } from "~/lib/log.server";
import { prepareJobs, runDueJobs, type RunReport } from "./run.service.server";

/** Returns a name for this process, for the rows of the jobs that it runs. */
export const jobOwner = (): string => `${hostname().slice(0, 80)}:${process.pid}:${randomBytes(4).toString("hex")}`;

export interface JobsOptions {
  /**
   * Called for every failed job, and under the name `jobs` for a round in which the database could not be queried. The default logs the
   * error.
   */
  onError?: (name: string, error: Error) => void;
}

/** Logs that a job failed. */
export const logFailure = (name: string, error: Error) => log().error({ job: name, err: error }, "job failed");

/**
 * Looks for due jobs at once and then every second. Any number of processes may do so. `stop` ends this, and resolves when the jobs that
 * run here have ended.
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
