import { trailList } from "~/domain/audit/trail-list";
import { loadTrail } from "~/domain/audit/trail.service.server";
import { salesOrderList } from "~/domain/orders/list/sales-order-list";
import { findSalesOrders } from "~/domain/orders/list/service.server";
import { type Dialect } from "~db/connection.server";
import { fillEntries } from "../support/many-entries";
import { createOwnerOfMany, fillOrders } from "../support/many-orders";
import { median, processorTime, round, say, timed, withPortal } from "./portal";
import { report } from "./report";

const FEW = 1000;
const MANY = Number(process.env.BENCH_ROWS ?? 1_000_000);
const TIMES = 15;

interface Subject {
  name: string;
  fill: (dialect: Dialect, userId: number, from: number, to: number) => Promise<void>;
  load: (query: URLSearchParams) => Promise<unknown>;
  queries: readonly string[];
}

const SUBJECTS: readonly Subject[] = [
  {
    name: "sales orders",
    fill: fillOrders,
    load: (query) => findSalesOrders(salesOrderList.read(query)),
    queries: [
      "",
      "sort=orderDate.asc",
      "sort=company.asc",
      "sort=orderTotal.desc",
      "sort=invoiceNumber.asc",
      "sort=userName.asc",
      "page=5",
      "orderNumber=1000007",
      "from=2024-01-01&sort=company.desc",
      "to=2024-01-01",
      "status=Open",
      "status=Paid&sort=orderDate.asc",
      "orderType=Full&sort=orderType.asc",
      "country=276&sort=orderNumber.desc",
      "country=380&sort=country.asc",
      "userName=zz-many",
      "company=parts42",
      "company=gmbh",
      "company=gmbh&status=Paid&sort=orderTotal.desc",
    ],
  },
  {
    name: "audit trail",
    fill: fillEntries,
    load: (query) => loadTrail(trailList.read(query)),
    queries: [
      "",
      "sort=recorded.asc",
      "page=5",
      "event=order.created",
      "person=zz-many",
      "person=person42%40example.org",
      "reference=R-42",
      "reference=SO-1000042",
      "from=01%2F01%2F2024&to=01%2F01%2F2024",
      "person=zz-many&event=mail.sent",
      "person=zz-many&event=mail.sent&from=01%2F01%2F2024",
      "text=many",
      "text=number+12",
    ],
  },
];

/**
 * Returns the median time of a page, in milliseconds: the processor time when the database runs in this process, otherwise the elapsed
 * time.
 */
async function measure(dialect: Dialect, load: () => Promise<unknown>): Promise<number> {
  const time = dialect === "sqlite" ? processorTime : timed;
  for (let round = 0; round < 3; round += 1) await load();
  const times: number[] = [];
  for (let round = 0; round < TIMES; round += 1) times.push(await time(load));
  return median(times);
}

for (const dialect of ["sqlite", "postgres"] as const)
  await withPortal(dialect, async () => {
    const { id } = await createOwnerOfMany();
    for (const { name, fill, load, queries } of SUBJECTS) {
      const page = (query: string) => () => load(new URLSearchParams(query));
      await fill(dialect, id, 0, FEW);
      const before: number[] = [];
      for (const query of queries) before.push(await measure(dialect, page(query)));
      say(`${dialect}, ${name}: filling took ${round((await timed(() => fill(dialect, id, FEW, MANY))) / 1000)} s`);
      for (const [index, query] of queries.entries()) {
        const [few, many] = [before[index] ?? NaN, await measure(dialect, page(query))];
        report({
          name: `${name} of ${MANY}, ${dialect}, '${query || "first"}'`,
          measured: many,
          unit: "ms",
          comparedWith: { name: `of ${FEW}`, value: few },
          must: { of: "difference", atMost: 20 },
        });
      }
    }
  });
