import { expect } from "vitest";
import { STAFF_RIGHTS } from "~/domain/accounts/rights.policy";
import { salesOrderForm } from "~/domain/orders/sales-order.service.server";
import { paths } from "~/lib/paths";
import * as orderPage from "~/routes/home.sale-orders_.details/route";
import { getDb } from "~db/connection.server";
import { findOrder } from "~db/repositories/orders.server";
import { createCodeOrder } from "./codes";
import { usePeople } from "./people";
import { errorsOf, run, type Visitor } from "./visitor";

/** Returns the row of a sales order. */
export async function saleOf(id: number) {
  const row = await findOrder(getDb(), id);
  if (!row) throw new Error("The order is not there.");
  return row;
}

/** Returns the fields that the browser sends from an order's form: the values of the page with these changes. */
export const saleFields = async (id: number, changed: Record<string, string> = {}) => ({
  ...salesOrderForm(await saleOf(id), { rights: STAFF_RIGHTS }).values,
  ...changed,
});

/** Changes these fields on an order's page, presses Update, and confirms the question, if any. */
export const saveSale = async (staff: Visitor, id: number, changed: Record<string, string>) =>
  run(
    orderPage.action,
    await staff.post(paths.salesOrder(id), { ...(await saleFields(id, changed)), confirmed: "yes" }),
  );

export const auditOfSale = (orderId: number) =>
  getDb().selectFrom("auditEntries").selectAll().where("orderId", "=", orderId).orderBy("id").execute();

let number = 0;

/** Returns the fields of an invoice with a number of its own. */
export const invoice = () => ({ invoiceNumber: `R-${++number}`, invoiceTotal: "600.00", invoiceDate: "2026-11-02" });

export const PAID = { status: "Paid", paymentDate: "2026-11-05" };

/** Long ago, so that every date of an invoice is later. */
const LONG_AGO = new Date("2000-01-01T10:00:00Z");

type Given = Parameters<typeof createCodeOrder>[3];

/**
 * Creates a customer and an administrator for tests of a sales order's form. `order` creates an order, `save` changes it on its page,
 * `changed` returns the row of a new order after a change, and `refusedFor` returns the errors of a change that stores nothing.
 */
export function useSalesOrders() {
  const people = usePeople();
  const order = (given: Given = {}) => createCodeOrder(people.customer, "Basic", 2, { createdAt: LONG_AGO, ...given });
  const save = (id: number, fields: Record<string, string>) => saveSale(people.admin.visitor, id, fields);
  const changed = async (fields: Record<string, string>, given: Given = {}) => {
    const id = await order(given);
    expect((await save(id, fields)).status).toBe(303);
    return saleOf(id);
  };
  const refusedFor = async (fields: Record<string, string>) => {
    const id = await order();
    const before = await saleOf(id);
    const { status, errors } = await errorsOf(await save(id, fields));
    expect(status).toBe(422);
    expect(await saleOf(id)).toEqual(before);
    return errors;
  };
  return { people, order, save, changed, refusedFor };
}
