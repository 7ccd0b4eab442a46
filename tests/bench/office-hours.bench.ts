// A customer loads pages, first while nothing else happens and then while staff approve orders: `npm run bench office-hours`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { paths } from "~/lib/paths";
import { type Dialect } from "~db/connection.server";
import { createAdmin, createUser } from "../support/factories";
import { freePort } from "../support/postgres";
import { untilReady } from "./load";
import { approveOverHttp, makeOrders, sessionOf } from "./orders";
import { atOnce, type BenchPortal, withPortal } from "./portal";
import { report } from "./report";

const ORDERS = Number(process.env.BENCH_ORDERS ?? 200);
/** Members of staff who approve at the same time. */
const APPROVERS = 2;
const TOKEN = "the token of the bench for its metrics";
const PAGES = [paths.dashboard, paths.certificates, paths.userManagement];

/** Returns the quantile of some measurements. */
const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? NaN;

/** Returns the delays of the portal's event loop since the last call, in milliseconds. */
async function eventLoopDelays(origin: string) {
  const answer = await fetch(`${origin}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  const text = await answer.text();
  const of = (part: string) =>
    1000 * Number(new RegExp(`^marque_event_loop_delay_seconds\\{quantile="${part}"\\} (\\S+)`, "m").exec(text)?.[1]);
  return { p999: of("0.999"), longest: of("1") };
}

/** Loads pages one after the other until `work` has ended. Returns how long each took, in milliseconds. */
async function pagesDuring(origin: string, cookie: string, work: () => Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const ended = work().finally(() => (isOver = true));
  const times: number[] = [];
  for (let index = 0; !isOver || index < PAGES.length; index += 1) {
    const started = performance.now();
    const answer = await fetch(origin + PAGES[index % PAGES.length], {
      headers: { Cookie: cookie, Accept: "text/html" },
    });
    await answer.arrayBuffer();
    if (!answer.ok || answer.redirected) throw new Error(`${answer.url} was answered with ${answer.status}.`);
    times.push(performance.now() - started);
  }
  await ended;
  return times;
}

async function compare(dialect: Dialect, { env }: BenchPortal): Promise<void> {
  const ids = await makeOrders(ORDERS);
  const [staff, customer] = [await sessionOf(await createAdmin()), await sessionOf(await createUser())];
  const origin = env.PUBLIC_URL ?? "";
  const portal = spawn(process.execPath, ["build/index.js"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    await untilReady(`${origin}/readyz`);
    const measured = async (work: () => Promise<unknown>) => {
      await eventLoopDelays(origin);
      const times = await pagesDuring(origin, customer.cookie, work);
      return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), ...(await eventLoopDelays(origin)) };
    };
    const calmPages = async () => {
      for (let index = 0; index < ORDERS; index += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await pagesDuring(origin, customer.cookie, calmPages); // the code is compiled, and the jobs of the start have run
    const calm = await measured(calmPages);
    const busy = await measured(() => atOnce(APPROVERS, ids, (id) => approveOverHttp(origin, staff, id)));
    const during = `${dialect}, during ${ORDERS} approvals`;
    report({
      name: `${during}: 99 % of a customer's pages within`,
      measured: busy.p99,
      unit: "ms",
      comparedWith: { name: "in calm", value: calm.p99 },
      must: { of: "ratio", atMost: 3 },
      note: `half of them within ${busy.p50.toFixed()} ms, in calm ${calm.p50.toFixed()} ms`,
    });
    for (const [what, name, atMost] of [
      ["99.9 % of the delays of the event loop within", "p999", 20],
      ["longest delay of the event loop", "longest", 100],
    ] as const)
      report({
        name: `${during}: ${what}`,
        measured: busy[name],
        unit: "ms",
        comparedWith: { name: "in calm", value: calm[name] },
        must: { of: "measured", atMost },
      });
  } finally {
    portal.kill();
    await once(portal, "exit");
  }
}

for (const dialect of ["sqlite", "postgres"] as const) {
  const port = String(await freePort());
  const more = { PORT: port, HOST: "localhost", PUBLIC_URL: `http://localhost:${port}`, METRICS_TOKEN: TOKEN };
  await withPortal(dialect, (portal) => compare(dialect, portal), more);
}
