import { type SessionUser } from "~/domain/accounts/session-user";
import { getInvoiceFile, type InvoiceFile } from "~/domain/orders/invoices/invoice-file.service.server";
import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificateByOrder } from "~db/repositories/certificates.server";
import { listCurrentInvoiceIds } from "~db/repositories/invoices.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { whyNotInvoice } from "./certificates.policy";

/** The certificate of an order if this user may see it: owners their own, administrators all. Throws not found. */
export async function getCertificateOfOrder(user: SessionUser, orderId: number): Promise<CertificateRow> {
  const row = await findCertificateByOrder(getDb(), orderId);
  if (!row || (row.userId !== user.id && !user.isAdmin)) throw notFound();
  return row;
}

/** The order of a certificate, likewise. */
export async function getCertificateOrder(user: SessionUser, orderId: number): Promise<OrderRow> {
  await getCertificateOfOrder(user, orderId);
  const order = await findOrder(getDb(), orderId);
  if (!order) throw notFound();
  return order;
}

/** The invoice that can be downloaded with a certificate (B §4), or null. */
export async function findInvoiceIdOf({ status, orderId }: CertificateRow): Promise<number | null> {
  if (whyNotInvoice(status)) return null;
  return (await listCurrentInvoiceIds(getDb(), [orderId])).get(orderId) ?? null;
}

/** Its PDF, by the order. Throws not found, and a PortalError when there is no invoice yet. */
export async function getCertificateInvoice(user: SessionUser, orderId: number): Promise<InvoiceFile> {
  const row = await getCertificateOfOrder(user, orderId);
  const invoiceId = await findInvoiceIdOf(row);
  if (invoiceId === null)
    throw new PortalError(whyNotInvoice(row.status) ?? "There is no invoice for this order.", {
      code: "certificate.invoice",
      field: "certificateOrderId",
    });
  return getInvoiceFile(invoiceId);
}
