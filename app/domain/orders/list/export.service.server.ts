import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { idsInBatches } from "~/lib/batches.server";
import { csvInPortions } from "~/lib/csv.server";
import { formatDate } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import {
  listSalesOrders,
  listSalesOrdersAfter,
  type SalesOrderListRow,
} from "~db/repositories/sales-order-list.server";
import { inTransaction } from "~db/transaction.server";
import { orderNumber } from "../order-number";
import { orderTypeLabel } from "../order-types";
import { salesOrderList, type SalesOrderListParams } from "./sales-order-list";
import { requireConditions, requireMatches } from "./service.server";
import { LIST_TEXTS } from "./texts";

const euro = (cents: number | null) => (cents === null ? "" : (cents / 100).toFixed(2));

/** The columns of the file: those of the list, then the other fields of the details. */
const COLUMNS: Record<string, (row: SalesOrderListRow) => string | number | null> = {
  Number: (row) => orderNumber(row.id),
  Type: (row) => orderTypeLabel(row.orderType),
  Company: (row) => row.company,
  Date: (row) => formatDate(row.createdAt),
  "Total in euro": (row) => euro(row.totalCents),
  Status: (row) => row.status,
  "Invoice Number": (row) => row.invoiceNumber,
  User: (row) => row.username,
  Country: (row) => row.country,
  Email: (row) => row.email,
  "VAT number": (row) => row.vatNumber,
  "Purchase order number": (row) => row.purchaseOrderNumber,
  "Number of codes": (row) => row.numberOfCodes,
  "Promotion code": (row) => row.promotionCode,
  "Invoice total": (row) => euro(row.invoiceCents),
  "Invoice date": (row) => formatDate(row.invoiceDate),
  "Payment total": (row) => euro(row.paymentCents),
  "Payment date": (row) => formatDate(row.paymentDate),
  Remarks: (row) => row.remarks,
};

const toCells = (row: SalesOrderListRow) => Object.values(COLUMNS).map((cell) => String(cell(row) ?? ""));

/**
 * Yields the rows of the file batch by batch.
 *
 * @param batches The ids of the orders in batches.
 */
async function* rowsOf(batches: AsyncIterable<readonly number[]>) {
  for await (const ids of batches) yield (await listSalesOrders(getDb(), ids)).map(toCells);
}

const fileOf = (batches: AsyncIterable<readonly number[]>) => csvInPortions(Object.keys(COLUMNS), rowsOf(batches));

async function* all(params: SalesOrderListParams): AsyncGenerator<number[]> {
  const conditions = await requireConditions(params);
  yield* idsInBatches((window) => listSalesOrdersAfter(getDb(), conditions, window));
}

async function* these(ids: readonly number[]): AsyncGenerator<readonly number[]> {
  yield await Promise.resolve(ids);
}

const audited = (actor: Actor, message: string, now: Date) =>
  inTransaction((trx) => recordAudit(trx, { actor, event: "orders.exported", message }, now));

/**
 * Returns the selected orders. Throws a PortalError that names the missing ones. Orders are never deleted, so no list has shown a missing
 * one.
 */
export async function requireOrders(ids: readonly number[]): Promise<SalesOrderListRow[]> {
  const rows = await listSalesOrders(getDb(), ids);
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  const problem = ids.length === 0 ? LIST_TEXTS.chooseSome : LIST_TEXTS.noneOf(missing);
  if (rows.length === 0 || missing.length > 0) throw new PortalError(problem, { code: "orders.export" });
  return rows;
}

/**
 * Exports sales orders as CSV for spreadsheets (RFC 4180, UTF-8 with a byte order mark) and records it in the audit trail. The file is read
 * while it is sent. Cells that a spreadsheet would take for a formula are kept as text. Throws a PortalError when there are no orders or
 * selected ones are missing.
 *
 * @param what The ids of selected orders, or a search that stands for all its orders.
 */
export async function exportSalesOrders(
  what: { ids: readonly number[] } | { params: SalesOrderListParams },
  actor: Actor,
  now = new Date(),
): Promise<AsyncIterable<Uint8Array>> {
  if ("ids" in what) {
    const rows = await requireOrders(what.ids);
    await audited(actor, `Sales orders exported: ${rows.map(({ id }) => orderNumber(id)).join(", ")}.`, now);
    return fileOf(these(rows.map(({ id }) => id)));
  }
  await requireMatches(await requireConditions(what.params));
  const search = salesOrderList.query(what.params, { page: 1, selected: [] }).toString();
  await audited(actor, `All sales orders exported${search && ` that match ${search}`}.`, now);
  return fileOf(all(what.params));
}
