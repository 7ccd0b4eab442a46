import { type RawBuilder, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { SALES_ORDER_SORTS, type SalesOrderSort } from "~/domain/orders/list/params";
import { getConnection, getDb } from "~db/connection.server";
import {
  countSalesOrders,
  foundStatement,
  listSalesOrderIds,
  pageStatement,
  prepareConditions,
  type SalesOrderConditions,
} from "~db/repositories/sales-order-list.server";
import { fillOrders } from "../support/many-orders";
import { usePortal } from "../support/portal";

usePortal();

const ORDERS = 30_000;

const ANY: SalesOrderConditions = {
  id: null,
  from: null,
  to: null,
  status: null,
  orderType: null,
  countryId: null,
  user: "",
  companyWords: [],
};
const conditionsOf = (wanted: Partial<SalesOrderConditions>) => prepareConditions(getDb(), { ...ANY, ...wanted });

beforeAll(() => fillOrders(getConnection().dialect, ORDERS), 300_000);

async function planOf(statement: RawBuilder<unknown>): Promise<string> {
  if (getConnection().dialect === "postgres") {
    const { rows } = await sql<Record<string, string>>`explain ${statement}`.execute(getDb());
    return rows.map((row) => Object.values(row)[0]).join("\n");
  }
  const { rows } = await sql<{ detail: string }>`explain query plan ${statement}`.execute(getDb());
  return rows.map(({ detail }) => detail).join("\n");
}

const page = (key: SalesOrderSort, direction: "asc" | "desc") => ({
  sort: { key, direction },
  offset: 0,
  limit: 10,
});

/** What reads all orders, or sorts them: `SCAN orders` without an index, a sort of its own. */
const ALL_ORDERS = /Seq Scan on orders|\bSort\b|SCAN orders(?! USING)|TEMP B-TREE/;

describe("[SAL-01] a list of many sales orders", () => {
  test.each(SALES_ORDER_SORTS.flatMap((key) => [[key, "asc"] as const, [key, "desc"] as const]))(
    "[SAL-01] by %s, %s, comes out of an index in its order",
    async (key, direction) => {
      const plan = await planOf(pageStatement([], page(key, direction), ORDERS));
      // SQLite's table is itself in the order of the numbers.
      expect(plan).not.toMatch(key === "orderNumber" ? /Seq Scan|\bSort\b|TEMP B-TREE/ : ALL_ORDERS);
    },
  );

  test.each<[string, Partial<SalesOrderConditions>]>([
    ["order number", { id: 1_000_007 }],
    ["from", { from: "2024-01-21T00:00:00.000Z" }],
    ["from and to", { from: "2024-01-10T00:00:00.000Z", to: "2024-01-11T00:00:00.000Z" }],
    ["user", { user: "nobody-of-this-name" }],
    ["company", { companyWords: ["parts42"] }],
    ["company and status", { companyWords: ["parts42"], status: "Open" }],
    ["everything", { companyWords: ["parts42"], status: "Open", countryId: 826, orderType: "OFTP", user: "zz" }],
  ])("[SAL-01] a search by %s begins in an index", async (_what, wanted) => {
    const plan = await planOf(foundStatement(await conditionsOf(wanted), 10_001));
    expect(plan).not.toMatch(/Seq Scan on orders|SCAN orders(?! USING)/);
  });

  test("[SAL-01] of many the order's index is read, and nothing is sorted", async () => {
    for (const wanted of [
      { companyWords: ["gmbh"] },
      { user: "zz-many" },
      { companyWords: ["example"], status: "Paid" as const },
    ]) {
      const conditions = await conditionsOf(wanted);
      const plan = await planOf(pageStatement(conditions, page("orderDate", "desc"), ORDERS));
      expect(plan).not.toMatch(ALL_ORDERS);
      expect(plan).toMatch(/orders_by_created_at/);
    }
  });

  test("[SAL-01] few and many, begun in either way, find the same", async () => {
    const wanted = { companyWords: ["gmbh", "parts29"], status: "Paid" as const };
    const conditions = await conditionsOf(wanted);
    const total = await countSalesOrders(getDb(), conditions, 10_001);
    // parts29, 290…299 and 2900…2999 are 1,110 orders in a row; every fourth is Paid.
    expect(total).toBeGreaterThan(270);
    for (const key of SALES_ORDER_SORTS) {
      const few = await listSalesOrderIds(getDb(), conditions, page(key, "desc"), total);
      expect(few).toHaveLength(10);
      expect(await listSalesOrderIds(getDb(), conditions, page(key, "desc"), 1_000_000)).toEqual(few);
    }
  });

  test("[SAL-01] counting ends where it is told", async () => {
    expect(await countSalesOrders(getDb(), await conditionsOf({ companyWords: ["gmbh"] }), 10_001)).toBe(10_001);
    expect(await countSalesOrders(getDb(), await conditionsOf({ companyWords: ["parts2999"] }), 10_001)).toBe(10);
  });
});
