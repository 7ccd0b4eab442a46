import { type SessionUser } from "~/domain/accounts/session-user";
import { type OrderDocument } from "~/domain/orders/invoices/invoice-content";
import { getInvoiceFile, type InvoiceFile } from "~/domain/orders/invoices/invoice-file.service.server";
import { documentsOf, lastInvoiceId } from "~/domain/orders/invoices/order-documents.server";
import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificateByOrder } from "~db/repositories/certificates.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { whyNotInvoice } from "../certificates.policy";

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

/** The invoices and credit notes that can be downloaded with a certificate: by its own status (CER-09), whatever its order's is. */
export const listDocumentsWith = async ({ status, orderId }: CertificateRow): Promise<OrderDocument[]> =>
  whyNotInvoice(status) ? [] : documentsOf(getDb(), orderId);

/** The PDF of its last invoice, credited or not, by the order. Throws not found, and a PortalError when there is no invoice. */
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
