import { maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { hiddenFrom } from "~/domain/security-events/hidden.server";
import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { listMaintenanceLines, type MaintenanceLine } from "~db/repositories/invoices.server";
import { findOrder } from "~db/repositories/orders.server";
import { listSalesOrders, type SalesOrderListRow } from "~db/repositories/sales-order-list.server";
import { PURCHASE_ORDER_TYPE } from "~db/tables/orders";
import { listStatedCorrections, type StatedOrderCorrection } from "./corrections/made-corrections.server";
import { getInvoiceFile, type InvoiceFile } from "./invoices/invoice-file.service.server";
import { documentsOf, lastInvoiceId } from "./invoices/order-documents.server";

/** A stored sales order. A maintenance order has its lines, too. */
export interface SalesOrderData {
  row: SalesOrderListRow;
  lines: MaintenanceLine[];
  corrections: StatedOrderCorrection[];
}

/** Returns a sales order for the JSON calls of staff. Throws a PortalError (404) when there is no such order. */
export async function getSalesOrderData(id: number): Promise<SalesOrderData> {
  const [row] = await listSalesOrders(getDb(), [id]);
  if (!row) throw notFound();
  const lines = row.isMaintenance ? await listMaintenanceLines(getDb(), id) : [];
  return { row, lines, corrections: await listStatedCorrections(getDb(), id) };
}

/**
 * Returns the PDF of the last invoice of an order of codes, credited or not, for its owner and for administrators. Throws a PortalError
 * (404) when the user has no such order, and for orders of certificates, whose invoices another function returns. Throws a PortalError when
 * the order has no invoice.
 */
export async function getCodeInvoice(user: SessionUser, orderId: number): Promise<InvoiceFile> {
  const order = await findOrder(getDb(), orderId);
  if (order?.purchaseOrderType !== PURCHASE_ORDER_TYPE.code) throw notFound();
  if (!maySee(user, order)) throw hiddenFrom(user);
  const invoiceId = lastInvoiceId(await documentsOf(getDb(), orderId));
  if (invoiceId === null)
    throw new PortalError("There is no invoice for this order.", { code: "code.invoice", field: "salesOrderId" });
  return getInvoiceFile(invoiceId);
}
