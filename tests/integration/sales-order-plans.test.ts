import { sql, type SqlBool } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { SALES_ORDER_SORTS, salesOrderList, type SalesOrderSort } from "~/domain/orders/list/sales-order-list";
import { findSalesOrders } from "~/domain/orders/list/service.server";
import { getConnection, getDb } from "~db/connection.server";
import {
  countSalesOrders,
  foundStatement,
  listSalesOrderIds,
  pageStatement,
  prepareConditions,
  type SalesOrderConditions,
  type SalesOrderPart,
  salesOrderPartStatement,
} from "~db/repositories/sales-order-list.server";
import { createOwnerOfMany, fillOrders } from "../support/many-orders";
import { planOf, searchesBy } from "../support/plans";
import { usePortal } from "../support/portal";

usePortal();

const ORDERS = 30_000;

const ANY: SalesOrderConditions = {
  isOfCodes: false,
  isOverpaid: false,
  invoiced: null,
  id: null,
  companyId: null,
  from: null,
  to: null,
  status: null,
  orderType: null,
  countryId: null,
  user: "",
  companyWords: [],
};
const conditionsOf = (wanted: Partial<SalesOrderConditions>) => prepareConditions(getDb(), { ...ANY, ...wanted });

beforeAll(async () => {
  const { id } = await createOwnerOfMany();
  await fillOrders(getConnection().dialect, id, 0, ORDERS);
}, 300_000);

const page = (key: SalesOrderSort, direction: "asc" | "desc") => ({
  sort: { key, direction },
  offset: 0,
  limit: 10,
});

/** Matches a plan that reads all orders without an index, or sorts them in a separate step. */
const ALL_ORDERS = /Seq Scan on orders|\bSort\b|SCAN orders(?! USING)|TEMP B-TREE/;
/** The same for lists by order number. SQLite stores the table in this order, so a scan of it is allowed. */
const ALL_BY_NUMBER = /Seq Scan on orders|\bSort\b|TEMP B-TREE/;
const allOrders = (key: SalesOrderSort) => (key === "orderNumber" ? ALL_BY_NUMBER : ALL_ORDERS);

const MANY: [string, Partial<SalesOrderConditions>][] = [
  ["from", { from: "2024-01-02T00:00:00.000Z" }],
  ["to", { to: "2024-01-20T00:00:00.000Z" }],
  ["status", { status: "Paid" }],
  ["type", { orderType: "Full" }],
  ["country", { countryId: 276 }],
  ["user", { user: "zz-many" }],
  ["company", { companyWords: ["gmbh"] }],
  [
    "everything but the number",
    {
      ...ANY,
      from: "2024-01-02T00:00:00.000Z",
      to: "2024-01-20T00:00:00.000Z",
      status: "Paid",
      orderType: "Full",
      countryId: 276,
      user: "zz",
      companyWords: ["gmbh"],
    },
  ],
];

describe("[SAL-01] a list of a large number of sales orders", () => {
  test("begins with the newest of all that were found, also when not all of them are counted", async () => {
    const asked = new URLSearchParams({ userName: "zz-many", sort: "orderNumber.desc" });
    const { results } = await findSalesOrders(salesOrderList.read(asked));
    const newest = await getDb().selectFrom("orders").select("id").orderBy("id", "desc").executeTakeFirst();
    expect(results?.rows[0]?.id).toBe(newest?.id);
  });

  test.each(SALES_ORDER_SORTS.flatMap((key) => [[key, "asc"] as const, [key, "desc"] as const]))(
    "[SAL-01] by %s, %s, reads an index in its order",
    async (key, direction) => {
      expect(await planOf(pageStatement([], page(key, direction), ORDERS))).not.toMatch(allOrders(key));
    },
  );

  test.each<[string, Partial<SalesOrderConditions>]>([
    ["order number", { id: 1_000_007 }],
    ["from", { from: "2024-01-21T00:00:00.000Z" }],
    ["from and to", { from: "2024-01-10T00:00:00.000Z", to: "2024-01-11T00:00:00.000Z" }],
    ["to", { to: "2024-01-02T00:00:00.000Z" }],
    ["status", { status: "Cancelled" }],
    ["type", { orderType: "Basic" }],
    ["country", { countryId: 826 }],
    ["user", { user: "nobody-of-this-name" }],
    ["company", { companyWords: ["parts42"] }],
    ["company and status", { companyWords: ["parts42"], status: "Open" }],
    ["everything", { companyWords: ["parts42"], status: "Open", countryId: 826, orderType: "OFTP", user: "zz" }],
  ])("[SAL-01] searched by %s starts from an index", async (_what, wanted) => {
    const plan = await planOf(foundStatement(await conditionsOf(wanted), 10_001));
    expect(plan).not.toMatch(/Seq Scan on orders|SCAN orders(?! USING)/);
  });

  test.each(SALES_ORDER_SORTS)(
    "[SAL-01] with few matches reads them by number before sorting them by %s",
    async (key) => {
      const conditions = await conditionsOf({ companyWords: ["parts42"], status: "Open" });
      const plan = await planOf(pageStatement(conditions, page(key, "asc"), 10));
      expect(plan).toMatch(/Index Cond: \(id = found\.id\)|SEARCH orders USING INTEGER PRIMARY KEY/);
      expect(plan).not.toMatch(/Seq Scan on orders|SCAN orders/);
    },
  );

  test.each(MANY)(
    "[SAL-01] with many matches by %s reads the index of all orders without sorting",
    async (_what, wanted) => {
      const conditions = await conditionsOf(wanted);
      for (const key of SALES_ORDER_SORTS)
        for (const direction of ["asc", "desc"] as const)
          expect(await planOf(pageStatement(conditions, page(key, direction), ORDERS)), key).not.toMatch(
            allOrders(key),
          );
    },
  );

  test.each<[SalesOrderSort, string, Partial<SalesOrderConditions>, string]>([
    ["orderDate", "from", { from: "2024-01-21T00:00:00.000Z" }, "created_at"],
    ["orderDate", "to", { to: "2024-01-02T00:00:00.000Z" }, "created_at"],
    ["orderDate", "status", { status: "Open" }, "status"],
    ["orderDate", "type", { orderType: "Full" }, "order_type"],
    ["orderDate", "country", { countryId: 276 }, "country_id"],
    ["orderDate", "status and from", { status: "Open", from: "2024-01-21T00:00:00.000Z" }, "status"],
    ["orderNumber", "status", { status: "Open" }, "status"],
    ["orderNumber", "type", { orderType: "Full" }, "order_type"],
    ["orderNumber", "country", { countryId: 276 }, "country_id"],
    ["orderStatus", "status", { status: "Paid" }, "status"],
    ["orderType", "type", { orderType: "Full" }, "order_type"],
    ["country", "country", { countryId: 250 }, "country_id"],
  ])(
    "[SAL-01] by %s, with many matches by %s, reads only their part of an index",
    async (key, _what, wanted, column) => {
      const conditions = await conditionsOf({ ...wanted, companyWords: ["gmbh"] });
      for (const direction of ["asc", "desc"] as const) {
        const plan = await planOf(pageStatement(conditions, page(key, direction), ORDERS));
        expect(plan).toMatch(searchesBy(column));
        expect(plan).not.toMatch(ALL_ORDERS);
      }
    },
  );

  test("[SAL-01] finds the same by either plan", async () => {
    const wanted = { companyWords: ["gmbh", "parts29"], status: "Paid" as const, countryId: 250 };
    const conditions = await conditionsOf(wanted);
    const total = await countSalesOrders(getDb(), conditions, 10_001);
    // The words parts29, parts290 to parts299 and parts2900 to parts2999 belong to 1,110 orders; every fourth is Paid.
    expect(total).toBeGreaterThan(270);
    for (const key of SALES_ORDER_SORTS) {
      const few = await listSalesOrderIds(getDb(), conditions, page(key, "desc"), total);
      expect(few).toHaveLength(10);
      expect(await listSalesOrderIds(getDb(), conditions, page(key, "desc"), 1_000_000)).toEqual(few);
    }
  });

  test("[SAL-01] stops counting at its limit", async () => {
    expect(await countSalesOrders(getDb(), await conditionsOf({ companyWords: ["gmbh"] }), 10_001)).toBe(10_001);
    expect(await countSalesOrders(getDb(), await conditionsOf({ companyWords: ["parts2999"] }), 10_001)).toBe(10);
  });

  test("[SAL-01] estimates a very common word without counting orders, and counts others exactly", async () => {
    const [common] = await conditionsOf({ companyWords: ["gm"] });
    expect(common?.atLeast).toBe(20_000);
    const broken = { column: "company", holds: sql<SqlBool>`no_such_column = 1`, atLeast: 20_000 } as const;
    expect(await countSalesOrders(getDb(), [broken], 10_001)).toBe(10_001);
    await expect(countSalesOrders(getDb(), [broken], 20_001)).rejects.toThrow();
    // Every order has three words. 3,000 different words begin with 'p', each of ten orders.
    const [many] = await conditionsOf({ companyWords: ["p"] });
    expect(many?.atLeast).toBe(10);
    const together = await conditionsOf({ companyWords: ["gmbh"], status: "Paid" });
    expect(await countSalesOrders(getDb(), together, 10_001)).toBe(ORDERS / 4);
  });
});

describe("sales orders that programs read in parts", () => {
  const behind = { at: "2024-01-10T00:00:00.000Z", id: 7 };

  test.each<[string, Partial<SalesOrderConditions>, SalesOrderPart["by"]]>([
    ["by the last change", { updatedSince: behind.at }, "updatedAt"],
    ["of one status, by the last change", { updatedSince: behind.at, status: "Paid" }, "updatedAt"],
    ["of one company, by the last change", { updatedSince: behind.at, companyId: 5 }, "updatedAt"],
    ["the newest first", {}, "createdAt"],
  ])("[API-03] %s are read from an index in their order", async (_name, wanted, by) => {
    const plan = await planOf(salesOrderPartStatement(await conditionsOf(wanted), { by, behind, limit: 10 }));
    expect(plan).toMatch(getConnection().dialect === "postgres" ? /Index (Only )?Scan/ : /^SEARCH orders USING/m);
    expect(plan).not.toMatch(/Seq Scan|(?<!Incremental )Sort {2}|TEMP B-TREE FOR ORDER/);
  });
});
