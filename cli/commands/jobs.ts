import { Command } from "commander";
import { operatorActor, OPERATOR_OR_LOGIN } from "../operator";
import { timestamp, say, table } from "../output";
import { withDatabase } from "../with-database";

async function list(): Promise<void> {
  const { listJobStates } = await import("~/domain/jobs/run.service.server");
  const rows = (await listJobStates()).map(({ job, row }) => [
    job.name,
    timestamp(row?.nextRunAt ?? null),
    timestamp(row?.lastFinishedAt ?? null),
    row?.lastError ? `failed: ${row.lastError}` : (row?.lastResult ?? "-"),
    job.about,
  ]);
  say(table(["JOB", "NEXT RUN", "LAST RUN", "RESULT", "WHAT IT DOES"], rows));
}

async function run(name: string, { operator }: { operator?: string }): Promise<void> {
  const { runJobByHand } = await import("~/domain/jobs/by-hand.service.server");
  say(await runJobByHand(name, await operatorActor(operator)));
}

export function jobsCommand(): Command {
  const jobs = new Command("jobs").description("what the portal does by itself").usage("COMMAND");
  jobs
    .command("list")
    .description("show the jobs, when they ran and how it went")
    .action(() => withDatabase(list));
  jobs
    .command("run")
    .argument("<name>", "as shown by 'jobs list'")
    .description("run one job now")
    .option(...OPERATOR_OR_LOGIN)
    .action((name: string, flags: { operator?: string }) => withDatabase(() => run(name, flags)));
  return jobs;
}
