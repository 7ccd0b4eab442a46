// How long heavy work holds the thread that answers requests: `npm run bench event-loop`.
import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { verifyWhole } from "~/domain/audit/checkpoint.service.server";
import { trailList } from "~/domain/audit/trail-list";
import { exportTrail } from "~/domain/audit/trail.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { checkAllKeys } from "~/domain/keys/nightly-check.service.server";
import { exportSalesOrders } from "~/domain/orders/list/export.service.server";
import { salesOrderList } from "~/domain/orders/list/sales-order-list";
import { inTransaction } from "~db/transaction.server";
import { createAdmin } from "../support/factories";
import { fillCertificates } from "../support/many-certificates";
import { fillEntries } from "../support/many-entries";
import { createOwnerOfMany, fillOrders } from "../support/many-orders";
import { makeOrders } from "./orders";
import { timed, withPortal } from "./portal";
import { report } from "./report";

const ROWS = Number(process.env.BENCH_ROWS ?? 50_000);
const ORDERS = Number(process.env.BENCH_ORDERS ?? 200);
const EVERY_MS = 2;

/** Runs `work`, and reports how long it took and the longest time for which nothing else could run: on the clock, and of this process. */
async function measure(what: string, work: () => Promise<unknown>): Promise<void> {
  let [longest, longestBusy] = [0, 0];
  let [at, busy] = [performance.now(), process.cpuUsage()];
  const look = () => {
    const { user, system } = process.cpuUsage(busy);
    longest = Math.max(longest, performance.now() - at - EVERY_MS);
    longestBusy = Math.max(longestBusy, (user + system) / 1000);
    [at, busy] = [performance.now(), process.cpuUsage()];
  };
  const timer = setInterval(look, EVERY_MS);
  const ms = await timed(work);
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  clearInterval(timer);
  report({
    name: `${what}: the longest block`,
    measured: longest,
    unit: "ms",
    must: { of: "measured", atMost: 100 },
    note: `${longestBusy.toFixed()} ms of processor time; the whole took ${ms.toFixed()} ms`,
  });
}

/** Adds sealed entries to the audit trail. */
async function addEntries(count: number): Promise<void> {
  const entry = { actor: systemActor("bench"), event: "bench.entry", message: "An entry of the bench." };
  for (let added = 0; added < count; added += 500)
    await inTransaction(async (trx) => {
      for (let index = 0; index < 500; index += 1) await recordAudit(trx, entry);
    });
}

async function readWhole(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const part of content) void part;
}

for (const dialect of ["sqlite", "postgres"] as const)
  await withPortal(dialect, async () => {
    const admin = await createAdmin();
    const actor = { ...systemActor("bench"), userId: admin.id };
    const now = new Date();
    await makeOrders(ORDERS);
    await measure(`${dialect}: nightly check of ${ORDERS} keys`, () => checkAllKeys(now));
    await addEntries(ROWS / 5);
    await measure(`${dialect}: verifying ${ROWS / 5} audit entries`, verifyWhole);
    await fillEntries(dialect, admin.id, 1, ROWS + 1);
    await measure(`${dialect}: exporting ${ROWS} audit entries`, async () =>
      exportTrail(trailList.read(new URLSearchParams()), actor),
    );
    await fillOrders(dialect, (await createOwnerOfMany()).id, 1, ROWS + 1);
    await measure(`${dialect}: exporting ${ROWS} sales orders`, async () =>
      readWhole(await exportSalesOrders({ params: salesOrderList.read(new URLSearchParams()) }, actor)),
    );
    await getSigner("issuing-sha2");
    await fillCertificates(ROWS, { isRevoked: true });
    await measure(`${dialect}: publishing a CRL of ${ROWS}`, () => publishCrls("issuing-sha2"));
  });
