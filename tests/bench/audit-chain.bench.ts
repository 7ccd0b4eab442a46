// How many sealed entries of the audit trail several processes commit per second, each in a transaction of its own: `npm run bench audit-chain`.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { verifyWhole } from "~/domain/audit/checkpoint.service.server";
import { closeDb } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { perSecond, withPortal } from "./portal";
import { report } from "./report";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const PROCESSES = (process.env.BENCH_PROCESSES ?? "1,2,4,8").split(",").map(Number);
/** The argument of the processes that commit. */
const COMMIT = "commit";
const ENTRY = { actor: systemActor("bench"), event: "bench.entry", message: "An entry of the bench." };

const addEntry = () => inTransaction((trx) => recordAudit(trx, ENTRY));

/** Says that this process is ready, waits for the start, commits until the time is up, and says how many entries it has committed. */
async function commitWhenTold(): Promise<void> {
  await addEntry();
  const started = once(process, "message");
  process.send?.("ready");
  await started;
  let count = 0;
  for (const until = Date.now() + SECONDS * 1000; Date.now() < until; count += 1) await addEntry();
  process.send?.(count);
  await closeDb();
  process.disconnect();
}

/** Returns the message that a process sends next. Rejects when it ends before. */
function messageOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`A process ended with code ${code}.`)));
  });
}

/** Returns how many entries this many processes commit per second. */
async function rateOf(processes: number, env: Record<string, string>): Promise<number> {
  const start = () => fork(fileURLToPath(import.meta.url), [COMMIT], { env: { ...process.env, ...env } });
  const children = Array.from({ length: processes }, start);
  await Promise.all(children.map(messageOf));
  const counts = children.map(messageOf);
  const ended = children.map((child) => once(child, "exit"));
  for (const child of children) child.send("start");
  const all = (await Promise.all(counts)) as number[];
  await Promise.all(ended);
  return perSecond(
    all.reduce((sum, count) => sum + count, 0),
    SECONDS * 1000,
  );
}

async function measure(dialect: "sqlite" | "postgres"): Promise<void> {
  await withPortal(dialect, async ({ env }) => {
    const growth: Record<number, number> = {};
    for (const count of PROCESSES) growth[count] = await rateOf(count, env);
    await verifyWhole(); // throws when two processes have sealed at the same place
    for (const count of PROCESSES) {
      const name = `Audit entries, a commit each, ${count} process${count === 1 ? "" : "es"}, ${dialect}`;
      const comparedWith = { name: "one process", value: growth[1] ?? NaN };
      report({ name, measured: growth[count] ?? NaN, unit: "/s", ...(count > 1 && { comparedWith }) });
    }
  });
}

if (process.argv[2] === COMMIT) await commitWhenTold();
else for (const dialect of ["sqlite", "postgres"] as const) await measure(dialect);
