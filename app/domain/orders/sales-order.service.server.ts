import { getDb } from "~db/connection.server";
import { findOrder } from "~db/repositories/orders.server";
import { findUserById } from "~db/repositories/users.server";
import { CODE_TYPE_LABELS } from "../codes/code-types";
import { parseInvoiceAddress } from "./invoice-address.schema";
import { orderNumber } from "./order-number";
import { paymentFormOf } from "./payment.service.server";

/** A sales order as staff see it (B §2, Sale Order Details), or null. */
export async function findSalesOrder(id: number) {
  const order = await findOrder(getDb(), id);
  const user = order && (await findUserById(getDb(), order.userId));
  if (!order || !user) return null;
  return {
    id: order.id,
    orderNumber: orderNumber(order.id),
    status: order.status,
    userName: user.email,
    company: order.company,
    country: parseInvoiceAddress(order.invoiceAddress).country,
    vatNumber: order.vatNumber,
    purchaseOrderNumber: order.purchaseOrderNumber,
    orderDate: order.createdAt,
    codeType: order.codeType && CODE_TYPE_LABELS[order.codeType],
    numberOfCodes: order.numberOfCodes,
    totalCents: order.totalCents,
    remarks: order.remarks,
    payment: paymentFormOf(order),
  };
}
