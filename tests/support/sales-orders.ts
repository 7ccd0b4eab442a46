import { salesOrderForm } from "~/domain/orders/sales-order.service.server";
import { paths } from "~/lib/paths";
import * as orderPage from "~/routes/home.sale-orders_.details/route";
import { getDb } from "~db/connection.server";
import { findOrder } from "~db/repositories/orders.server";
import { run, type Visitor } from "./visitor";

/** Returns the row of a sales order. */
export async function saleOf(id: number) {
  const row = await findOrder(getDb(), id);
  if (!row) throw new Error("The order is not there.");
  return row;
}

/** Returns the fields that the browser sends from an order's form: the values of the page with these changes. */
export const saleFields = async (id: number, changed: Record<string, string> = {}) => ({
  ...salesOrderForm(await saleOf(id)).values,
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
