import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { Cron } from "croner";
import { log } from "~/lib/log.server";
import { prepareJobs, runDueJobs, type RunReport } from "./run.service.server";

/** Names this process in the rows of the jobs that it holds. */
export const jobOwner = (): string => `${hostname().slice(0, 80)}:${process.pid}:${randomBytes(4).toString("hex")}`;

export interface JobsOptions {
  /** Is told of every failed job, and of a round that could not ask the database (name `jobs`); logs unless given. */
  onError?: (name: string, error: Error) => void;
}

/** Notes in the log that a job failed. */
export const logFailure = (name: string, error: Error) => log().error({ job: name, err: error }, "job failed");

/**
 * Starts looking for due jobs, at once and then every second. Any number of processes may do so.
 * `stop` ends it and resolves when the jobs that run here are done.
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
