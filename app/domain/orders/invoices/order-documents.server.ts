import { type DbOrTrx } from "~db/connection.server";
import { listDocumentsOf, listOrdersOfInvoices } from "~db/repositories/invoices.server";
import { cancelledText, invoiceNumber, type OrderDocument } from "./invoice-content";

/**
 * Returns the invoices and credit notes of these orders by order id, the oldest first. A credited invoice stays in the array, followed by
 * its credit note.
 */
export async function documentsByOrder(
  db: DbOrTrx,
  orderIds: readonly number[],
): Promise<Map<number, OrderDocument[]>> {
  const documents = new Map<number, OrderDocument[]>(orderIds.map((orderId) => [orderId, []]));
  const rows = await listDocumentsOf(db, orderIds);
  const hasCreditNote = ({ orderId, round }: (typeof rows)[number]) =>
    rows.some((other) => other.kind === "credit-note" && other.orderId === orderId && other.round === round);
  const isCancelled = (row: (typeof rows)[number]) => row.kind === "invoice" && hasCreditNote(row);
  const ordersOf = await listOrdersOfInvoices(
    db,
    rows.map(({ id }) => id),
  );
  for (const row of rows) {
    const { id, kind } = row;
    const orders = ordersOf.get(id)?.length ?? 1;
    const cancelled = isCancelled(row) ? cancelledText(orders) : "";
    documents.get(row.orderId)?.push({ id, kind, number: invoiceNumber(row), orders, cancelled });
  }
  return documents;
}

/** Returns the invoices and credit notes of one order, the oldest first. */
export const documentsOf = async (db: DbOrTrx, orderId: number): Promise<OrderDocument[]> =>
  (await documentsByOrder(db, [orderId])).get(orderId) ?? [];

/** Returns the id of the invoice that was issued last, whether or not a credit note has cancelled it, or null when there is none. */
export const lastInvoiceId = (documents: readonly OrderDocument[]): number | null =>
  documents.findLast(({ kind }) => kind === "invoice")?.id ?? null;
