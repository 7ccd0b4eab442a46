import { withClients } from "~/domain/companies/people.server";
import { PortalError } from "~/lib/errors";
import { findPageOf, type Glance } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { type Position } from "~db/keyset.server";
import { listCountries } from "~db/repositories/countries.server";
import {
  countSalesOrders,
  listSalesOrderIds,
  listSalesOrderPart,
  listSalesOrders,
  MOST_SORTED,
  type PreparedConditions,
  prepareConditions,
  type SalesOrderListRow,
} from "~db/repositories/sales-order-list.server";
import { overpaidText } from "../corrections/settlement.policy";
import { orderNumber } from "../order-number";
import { orderTypeLabel } from "../order-types";
import { readCriteria, type SalesOrderListErrors } from "./criteria.policy";
import { type SalesOrderListParams } from "./sales-order-list";
import { LIST_TEXTS } from "./texts";

const toItem = (row: SalesOrderListRow & { clientName: string | null }) => ({
  id: row.id,
  orderNumber: orderNumber(row.id),
  orderType: orderTypeLabel(row.orderType),
  company: row.company,
  companyId: row.companyId,
  orderDate: row.createdAt,
  totalCents: row.totalCents,
  status: row.status,
  /** How much was paid too much, in words, or null. */
  overpaid: overpaidText(row),
  invoiceNumber: row.invoiceNumber,
  userName: row.username,
  /** The API client that placed the order for this user, or null. */
  clientName: row.clientName,
  country: row.country,
});

export type SalesOrderItem = ReturnType<typeof toItem>;

interface Results<Order = SalesOrderItem> {
  rows: Order[];
  total: number;
  /** Whether there are more than `total`, which were not counted. */
  hasMore: boolean;
  pages: number;
}

/**
 * Returns one page of the orders that meet the conditions. When the requested page is past the end, this is the last page that is counted.
 */
async function findPage(
  conditions: PreparedConditions,
  { sort, size, page, isGlance = false }: SalesOrderListParams & Glance,
): Promise<Results<SalesOrderListRow>> {
  let counted = 0;
  const count = async (limit: number) => {
    counted = await countSalesOrders(getDb(), conditions, isGlance ? limit : Math.max(limit, MOST_SORTED + 1));
    return counted;
  };
  const { offset, total, hasMore, pages } = await findPageOf({ page, size, isGlance }, count);
  const window = { sort, offset, limit: size };
  const ids = await listSalesOrderIds(getDb(), conditions, window, isGlance ? "glance" : counted);
  return { rows: await listSalesOrders(getDb(), ids), total, hasMore, pages };
}

/** Returns the data of the sales orders page: the countries to choose from, and either the results or the errors of the search. */
export async function findSalesOrders(params: SalesOrderListParams & Glance): Promise<{
  countries: { value: string; label: string }[];
  params: SalesOrderListParams;
  errors: SalesOrderListErrors;
  results: Results | null;
}> {
  const known = await listCountries(getDb());
  const countries = known.map(({ id, printableName }) => ({ value: String(id), label: printableName }));
  const read = readCriteria(params, new Set(known.map(({ id }) => id)));
  if ("errors" in read) return { countries, params, errors: read.errors, results: null };
  const { rows, ...found } = await findPage(await prepareConditions(getDb(), read.criteria), params);
  const shown = await withClients(rows, "orderId", ({ id }) => id);
  const results = { ...found, rows: shown.map(toItem) };
  return { countries, params: { ...params, page: Math.min(params.page, results.pages) }, errors: {}, results };
}

const understood = async (params: SalesOrderListParams) =>
  readCriteria(params, new Set((await listCountries(getDb())).map(({ id }) => id)));

/** Which part of the orders a call answers: behind a position, or by the last change. */
interface CalledPart {
  updatedSince: string | null;
  behind: Position | null;
}

/**
 * Returns a part of the orders with all their columns, for JSON calls, or the errors of the search: the newest first or, with
 * `updatedSince`, the oldest change first. A page past the end is empty.
 */
export async function findSalesOrderRows(
  params: SalesOrderListParams,
  { updatedSince, behind }: CalledPart,
): Promise<{ errors: SalesOrderListErrors } | { rows: SalesOrderListRow[] }> {
  const read = await understood(params);
  if ("errors" in read) return read;
  if (updatedSince !== null || behind !== null) {
    const conditions = await prepareConditions(getDb(), { ...read.criteria, updatedSince });
    const by = updatedSince === null ? "createdAt" : "updatedAt";
    return { rows: await listSalesOrderPart(getDb(), conditions, { by, behind, limit: params.size }) };
  }
  const { rows, pages } = await findPage(await prepareConditions(getDb(), read.criteria), params);
  return { rows: params.page > pages ? [] : rows };
}

/** Returns the conditions of a search. Throws a PortalError when the search has errors. */
export async function requireConditions(params: SalesOrderListParams): Promise<PreparedConditions> {
  const read = await understood(params);
  if ("errors" in read) throw new PortalError(Object.values(read.errors)[0] ?? "", { code: "orders.search" });
  return prepareConditions(getDb(), read.criteria);
}

/** Throws a PortalError when no order meets the conditions. */
export async function requireMatches(conditions: PreparedConditions): Promise<void> {
  if ((await countSalesOrders(getDb(), conditions, 1)) === 0)
    throw new PortalError(LIST_TEXTS.nothing, { code: "orders.export" });
}
