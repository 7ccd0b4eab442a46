import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { orderNumber } from "~/domain/orders/order-number";
import { csvInPortions } from "~/lib/csv.server";
import { daysSince, formatDate } from "~/lib/dates";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CertificateListRow, listCertificatesShown } from "~db/repositories/certificate-list.server";
import { listContactStops } from "~db/repositories/held-mails.server";
import { inTransaction } from "~db/transaction.server";
import { orderTypeText } from "../certificates.policy";
import { requireSelection } from "./bulk-approval.service.server";
import { queueWaits } from "./queue-list.service.server";

type ExportedOrder = CertificateListRow & { isContactStopped: boolean };

/** The columns of the file. */
const COLUMNS: Record<string, (row: ExportedOrder, now: Date) => string | number> = {
  Order: (row) => orderNumber(row.orderId),
  Requested: (row) => formatDate(row.requestedAt),
  "Days waiting": (row, now) => daysSince(row.requestedAt, now),
  "Common name": (row) => row.commonName,
  Organisation: (row) => row.organisation,
  Customer: (row) => row.company,
  "Order type": (row) => orderTypeText(row.orderType, row.previousCertificateId),
  "Waiting for": (row) => queueWaits(row).join(", "),
  "Works on it": (row) => (row.assigneeLastName ? `${row.assigneeFirstName} ${row.assigneeLastName}` : ""),
};

async function* cellsOf(rows: readonly ExportedOrder[], now: Date) {
  yield await Promise.resolve(rows.map((row) => Object.values(COLUMNS).map((cell) => String(cell(row, now)))));
}

/**
 * Exports the selected orders of the queue as CSV for spreadsheets, and records it in the audit trail. Throws what `requireSelection`
 * throws, and a PortalError (404) when none of the orders exists.
 */
export async function exportQueue(
  ids: readonly number[],
  actor: Actor,
  now = new Date(),
): Promise<AsyncIterable<Uint8Array>> {
  const rows = await listCertificatesShown(getDb(), requireSelection(ids));
  if (rows.length === 0) throw notFound();
  const message = `Orders of the queue exported: ${rows.map(({ orderId }) => orderNumber(orderId)).join(", ")}.`;
  await inTransaction((trx) => recordAudit(trx, { actor, event: "certificate.queue-exported", message }, now));
  const stopped = await listContactStops(
    getDb(),
    rows.map(({ authenticationEmail }) => authenticationEmail),
  );
  const orders = rows.map((row) => ({ ...row, isContactStopped: stopped.has(row.authenticationEmail.toLowerCase()) }));
  return csvInPortions(Object.keys(COLUMNS), cellsOf(orders, now));
}
