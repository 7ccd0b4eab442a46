import { maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type OrderDocument } from "~/domain/orders/invoices/invoice-content";
import { getInvoiceFile, type InvoiceFile } from "~/domain/orders/invoices/invoice-file.service.server";
import { documentsOf, lastInvoiceId } from "~/domain/orders/invoices/order-documents.server";
import { hiddenFrom } from "~/domain/security-events/hidden.server";
import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificateByOrder } from "~db/repositories/certificates.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { whyNotInvoice } from "../certificates.policy";

/**
 * Returns the certificate of an order. Owners see their own, administrators see all. Throws a PortalError (404) when it is missing or
 * belongs to somebody else.
 */
export async function getCertificateOfOrder(user: SessionUser, orderId: number): Promise<CertificateRow> {
  const row = await findCertificateByOrder(getDb(), orderId);
  if (!row) throw notFound();
  if (!maySee(user, row)) throw hiddenFrom(user);
  return row;
}

/** Returns the sales order of a certificate. Throws a PortalError (404) when it is missing or belongs to somebody else. */
export async function getCertificateOrder(user: SessionUser, orderId: number): Promise<OrderRow> {
  await getCertificateOfOrder(user, orderId);
  const order = await findOrder(getDb(), orderId);
  if (!order) throw notFound();
  return order;
}

/**
 * Returns the invoices and credit notes that can be downloaded with a certificate. Only the status of the certificate counts (CER-09), not
 * that of the order.
 */
export const listDocumentsWith = async ({ status, orderId }: CertificateRow): Promise<OrderDocument[]> =>
  whyNotInvoice(status) ? [] : documentsOf(getDb(), orderId);

/**
 * Returns the PDF of an order's last invoice, whether or not it has been credited. Throws a PortalError (404) when the user has no such
 * order, or a PortalError when there is no invoice.
 */
export async function getCertificateInvoice(user: SessionUser, orderId: number): Promise<InvoiceFile> {
  const row = await getCertificateOfOrder(user, orderId);
  const invoiceId = lastInvoiceId(await listDocumentsWith(row));
  if (invoiceId === null)
    throw new PortalError(whyNotInvoice(row.status) ?? "There is no invoice for this order.", {
      code: "certificate.invoice",
      field: "certificateOrderId",
    });
  return getInvoiceFile(invoiceId);
}
