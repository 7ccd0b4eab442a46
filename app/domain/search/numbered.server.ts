import { may, maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { correctionNumber } from "~/domain/orders/corrections/correction";
import { invoiceNumber, KIND_LABELS } from "~/domain/orders/invoices/invoice-content";
import { orderNumber, orderNumbersText } from "~/domain/orders/order-number";
import { orderTypeLabel } from "~/domain/orders/order-types";
import { formatDate } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import {
  listCertificatesNumbered,
  listInvoicesNumbered,
  listOrdersOfInvoice,
} from "~db/repositories/exact-search.server";
import { listOrdersOfInvoices } from "~db/repositories/invoices.server";
import { findCorrectedOrder } from "~db/repositories/order-corrections.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { type SearchResult } from "./search-result";
import { type TypedWords } from "./typed-words.policy";

/**
 * Returns the page on which this user sees an order, or null when there is none: the page of the sales order, the page of an order of the own
 * company, or the details of its certificate.
 */
export async function orderPageFor(
  user: SessionUser,
  order: Pick<OrderRow, "id" | "companyId">,
): Promise<string | null> {
  if (may(user, "see-sales-orders")) return paths.salesOrder(order.id);
  if (!maySee(user, order)) return null;
  if (order.companyId === user.companyId) return paths.order(order.id);
  const certificate = await findCertificateByOrder(getDb(), order.id);
  return certificate && maySee(user, certificate) ? paths.certificateDetails(certificate.id) : null;
}

/** Returns the page on which this user sees the corrections of an order, or null when there is none. */
function pageOfCorrections(user: SessionUser, order: Pick<OrderRow, "id" | "companyId">): string | null {
  if (may(user, "see-sales-orders")) return paths.salesOrder(order.id);
  return order.companyId === user.companyId && maySee(user, order) ? paths.order(order.id) : null;
}

/** Returns the order with the typed number, or with the correction of this number, when this user may see it. */
export async function findOrderNumbered(
  user: SessionUser,
  { orderId, correction }: TypedWords,
): Promise<SearchResult | null> {
  const id = correction ? await findCorrectedOrder(getDb(), correction) : orderId;
  const order = id === null ? null : await findOrder(getDb(), id);
  const href = order && (correction ? pageOfCorrections(user, order) : await orderPageFor(user, order));
  if (!order || !href) return null;
  const corrected = correction ? `Correction ${correctionNumber(correction)} · ` : "";
  const detail = `${corrected}${orderTypeLabel(order.orderType)} · ${order.company}`;
  return { id: order.id, href, title: orderNumber(order.id), detail, status: order.status };
}

interface FoundCertificate {
  id: number;
  orderId: number;
  companyId: number;
  company: string;
  commonName: string;
  status: string;
  expiryDate: string | null;
}

/** Returns a certificate as a result. It names the company when it is not that of the user. */
export function certificateResult(user: SessionUser, row: FoundCertificate): SearchResult {
  const { id, orderId, companyId, company, commonName, status, expiryDate } = row;
  const detail = [
    orderNumber(orderId),
    ...(expiryDate ? [`ends ${formatDate(expiryDate)}`] : []),
    ...(companyId === user.companyId ? [] : [company]),
  ].join(" · ");
  return { id, href: paths.certificateDetails(id), title: commonName, detail, status };
}

/** Returns the certificates with the typed serial number or fingerprint that this user may see. */
export async function findCertificatesNumbered(user: SessionUser, typed: TypedWords): Promise<SearchResult[]> {
  const rows = await listCertificatesNumbered(getDb(), typed);
  return rows.filter((row) => maySee(user, row)).map((row) => certificateResult(user, row));
}

/**
 * Returns the invoices and credit notes with the typed number that this user may see: those of the portal, once for each of their orders, and
 * those that staff recorded by hand, on the page of the order.
 */
export async function findInvoicesNumbered(user: SessionUser, typed: TypedWords): Promise<SearchResult[]> {
  const issued = typed.invoice ? await listInvoicesNumbered(getDb(), typed.invoice) : [];
  const results = await invoiceResults(user, issued, true);
  if (issued.length > 0 || !may(user, "see-sales-orders")) return results;
  return (await listOrdersOfInvoice(getDb(), typed.text)).map(recordedResult);
}

/** Returns those of these invoices and credit notes that this user may see, as results: one for each of them, or for each of their orders. */
export async function invoiceResults(
  user: SessionUser,
  issued: Awaited<ReturnType<typeof listInvoicesNumbered>>,
  isForEachOrder = false,
): Promise<SearchResult[]> {
  const ordersOf = await listOrdersOfInvoices(
    getDb(),
    issued.map(({ id }) => id),
  );
  const results: SearchResult[] = [];
  for (const row of issued) {
    if (!maySee(user, row)) continue;
    const orders = ordersOf.get(row.id) ?? [row.orderId];
    for (const ids of isForEachOrder ? orders.map((id) => [id]) : [orders])
      results.push({
        id: row.id,
        href:
          (await orderPageFor(user, { id: ids[0] ?? row.orderId, companyId: row.companyId })) ?? paths.invoice(row.id),
        title: invoiceNumber(row),
        detail: `${KIND_LABELS[row.kind]} · ${row.company} · ${orderNumbersText(ids)}`,
      });
  }
  return results;
}

/** Returns an order as a result, whose invoice number staff recorded by hand. */
export const recordedResult = (order: Awaited<ReturnType<typeof listOrdersOfInvoice>>[number]): SearchResult => ({
  id: null,
  href: paths.salesOrder(order.id),
  title: order.invoiceNumber ?? "",
  detail: `${order.company} · ${orderNumber(order.id)}`,
});
