import { createServer, type RequestListener } from "node:http";
import { type AddressInfo } from "node:net";
import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { beginMeasuring } from "~/domain/metrics/process-metrics.server";
import { measureRequests } from "~/http/request-metrics.server";
import { inTransaction } from "~db/transaction.server";
import { atOnce, perSecond, round, timed, withPortal } from "./portal";
import { report } from "./report";

const CHANGES = Number(process.env.BENCH_CHANGES ?? 400);
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 2000);
const ROUNDS = 5;
const CALLERS = [1, 8];

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Returns the milliseconds that each of the two takes in all rounds. They take turns, so that other work on the machine disturbs both. */
async function compare(plain: () => Promise<void>, priced: () => Promise<void>) {
  const total = { plain: 0, priced: 0 };
  for (let turn = -1; turn < ROUNDS; turn += 1) {
    const [first, second] = [await timed(plain), await timed(priced)];
    if (turn < 0) continue; // warm-up
    total.plain += first;
    total.priced += second;
  }
  return total;
}

/** Changes one row in its own transaction, with or without an audit entry. Different callers change different rows. */
const change = (isAudited: boolean) => (row: number) =>
  inTransaction(async (trx) => {
    const setting = { name: `bench-${row}`, userId: 0, value: String(performance.now()), updatedAt: new Date() };
    const insert = trx.insertInto("settings").values(setting);
    await insert.onConflict((conflict) => conflict.columns(["name", "userId"]).doUpdateSet(setting)).execute();
    const message = `Changed ${row}.`;
    if (isAudited) await recordAudit(trx, { actor: systemActor("bench"), event: "bench.changed", message });
  });

for (const dialect of ["sqlite", "postgres"] as const)
  await withPortal(dialect, async () => {
    for (const callers of CALLERS) {
      const make = (isAudited: boolean) => () => atOnce(callers, numbers(CHANGES), change(isAudited));
      const { plain, priced } = await compare(make(false), make(true));
      const rate = (ms: number) => perSecond(CHANGES * ROUNDS, ms);
      report({
        name: `Changes with an audit entry each, ${dialect}, ${callers} at once`,
        measured: rate(priced),
        unit: "/s",
        comparedWith: { name: "without", value: rate(plain) },
      });
    }
  });

/** Starts a server that answers every request with a short text. Returns `ask`, which sends a request, and `close`. */
async function serving(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const ask = async () => void (await (await fetch(`http://127.0.0.1:${port}/ocsp/x`)).text());
  return { ask, close: () => server.close() };
}

await withPortal(
  "sqlite",
  async () => {
    const measure = measureRequests(beginMeasuring().measureRequest);
    const bare = await serving((_request, response) => response.end("answered"));
    const measured = await serving((request, response) => {
      measure(request, response);
      response.end("answered");
    });
    for (const callers of CALLERS) {
      const make = (ask: () => Promise<void>) => () => atOnce(callers, numbers(REQUESTS), ask);
      const { plain, priced } = await compare(make(bare.ask), make(measured.ask));
      const each = ((priced - plain) * 1000) / (REQUESTS * ROUNDS);
      const rate = (ms: number) => perSecond(REQUESTS * ROUNDS, ms);
      report({
        name: `Requests that are measured and answered with nothing, ${callers} at once`,
        measured: rate(priced),
        unit: "/s",
        comparedWith: { name: "not measured", value: rate(plain) },
        note: `measuring takes ${round(each, 1)} µs each`,
      });
    }
    for (const { close } of [bare, measured]) close();
  },
  { METRICS_TOKEN: "the token of the bench, which is long enough" },
);
process.exit(0); // the measurements of this process would keep it running
