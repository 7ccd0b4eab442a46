// The nightly audit of everything issued, while the number of certificates grows: `npm run bench certificate-audit`. `BENCH_CERTIFICATES` is
// the largest number, of which the first step has a tenth, and `BENCH_DATABASES` the databases to measure.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { auditEverything } from "~/domain/certificate-audit/audit.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { type Dialect } from "~db/connection.server";
import { createUser } from "../support/factories";
import { fillCertificates } from "../support/many-certificates";
import { processorTime, round, say, timed, withPortal } from "./portal";
import { report } from "./report";
import { soundCertificates } from "./sound-certificates";

const MANY = Number(process.env.BENCH_CERTIFICATES ?? 100_000);
const FEW = Math.ceil(MANY / 10);
const DATABASES = (process.env.BENCH_DATABASES ?? "sqlite").split(",") as Dialect[];

/** A night has eight hours, in which 1,000,000 certificates must be audited. */
const MOST_MS = (8 * 3_600_000) / 1_000_000;

/** Pages wait this long at most while the audit runs, in milliseconds. */
const MOST_BLOCKED_MS = 100;

const MEGABYTE = 2 ** 20;

interface Audited {
  /** Milliseconds for each certificate: on the clock, and of the processor. */
  elapsed: number;
  busy: number;
  /** The resident memory at its highest, in megabytes. */
  memory: number;
  /** The longest delay of the event loop, in milliseconds. */
  delay: number;
}

/** Audits everything. Throws when the outcome is another one than `count` sound certificates. */
async function audit(count: number): Promise<Audited> {
  const delays = monitorEventLoopDelay({ resolution: 2 });
  let memory = 0;
  const look = () => (memory = Math.max(memory, process.memoryUsage.rss() / MEGABYTE));
  const timer = setInterval(look, 100);
  let outcome = "";
  let elapsed = 0;
  delays.enable();
  const busy = await processorTime(async () => {
    elapsed = await timed(async () => (outcome = await auditEverything(new Date())));
  });
  delays.disable();
  clearInterval(timer);
  look();
  if (!outcome.startsWith(`${count} certificates audited, 0 findings`)) throw new Error(outcome);
  return { elapsed: elapsed / count, busy: busy / count, memory, delay: delays.max / 1e6 };
}

async function measure(dialect: Dialect): Promise<void> {
  await renewResponders();
  const owner = await createUser();
  const columns = await soundCertificates(MANY);
  const fill = (count: number) => fillCertificates(count, { isRevoked: false, owner, columns });
  await fill(FEW);
  await audit(FEW); // compiles the code and starts the worker threads
  const few = await audit(FEW);
  say(`${dialect}: filled and audited ${FEW}`);
  await fill(MANY - FEW);
  const many = await audit(MANY);
  const growth = { [FEW]: few.elapsed, [MANY]: many.elapsed };
  const comparedWith = (value: number) => ({ name: `with ${FEW} certificates`, value });
  report({
    name: `${dialect}: nightly audit of ${MANY} certificates, each`,
    measured: many.elapsed,
    unit: "ms",
    comparedWith: comparedWith(few.elapsed),
    must: { of: "measured", atMost: MOST_MS },
    growth,
    note: `${round(many.busy, 1)} ms of processor time each`,
  });
  report({
    name: `${dialect}: longest block of the event loop while ${MANY} certificates are audited`,
    measured: many.delay,
    unit: "ms",
    comparedWith: comparedWith(few.delay),
    must: { of: "measured", atMost: MOST_BLOCKED_MS },
  });
  report({
    name: `${dialect}: memory while ${MANY} certificates are audited`,
    measured: many.memory,
    unit: "MB",
    comparedWith: comparedWith(few.memory),
    must: { of: "ratio", atMost: 1.2 },
  });
}

for (const dialect of DATABASES) await withPortal(dialect, () => measure(dialect));
