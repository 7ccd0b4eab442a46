import { updateSalesOrder } from "~/domain/orders/sales-order-update.service.server";
import { getDb } from "~db/connection.server";
import { findOrder } from "~db/repositories/orders.server";
import { actAs, STAFF } from "./accounts";

/** Sets the status of an order to Paid, with a payment of its total, as staff do on the page of the order. */
export async function payOrder(orderId: number, now: Date): Promise<void> {
  const order = await findOrder(getDb(), orderId);
  const staff = await actAs(STAFF);
  if (!order) throw new Error(`demo: there is no order ${orderId}`);
  const { totalCents, updatedAt: seen, invoiceNumber, invoiceCents, promotionCode, remarks } = order;
  const kept = { remarks: remarks ?? "", promotionCode: promotionCode ?? "", invoiceNumber: invoiceNumber ?? "" };
  const invoice = { invoiceTotal: invoiceCents, invoiceDate: order.invoiceDate?.slice(0, 10) ?? null };
  const payment = { paymentTotal: totalCents, paymentDate: now.toISOString().slice(0, 10) };
  await updateSalesOrder(orderId, { status: "Paid", ...kept, ...invoice, ...payment, seen }, staff.actor, { now });
}
