import { chosenIds, listParams, searchText, type ListParams } from "~/lib/list-params";
import { paths } from "~/lib/paths";

/** The columns, all of which can be sorted, by the specification's names (B §3, sales order). */
export const SALES_ORDER_SORTS = [
  "orderNumber",
  "orderType",
  "company",
  "orderDate",
  "orderTotal",
  "orderStatus",
  "invoiceNumber",
  "userName",
  "country",
] as const;
export type SalesOrderSort = (typeof SALES_ORDER_SORTS)[number];

/** What is searched for, as it was typed (B §3, sales order search filter). */
export const SALES_ORDER_FILTERS = [
  "from",
  "to",
  "company",
  "status",
  "orderNumber",
  "orderType",
  "userName",
  "country",
] as const;
export type SalesOrderFilter = (typeof SALES_ORDER_FILTERS)[number];

export interface SalesOrderListParams extends ListParams<SalesOrderSort>, Record<SalesOrderFilter, string> {
  /** The ticked orders, also those of other pages, in ascending order. */
  selected: number[];
}

const base = listParams(SALES_ORDER_SORTS, { key: "orderDate", direction: "desc" });

const inOrder = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);

/** Reads the list's place from a URL; never fails. */
export function readSalesOrderList(query: URLSearchParams): SalesOrderListParams {
  const filters = SALES_ORDER_FILTERS.map((name) => [name, searchText(query.get(name) ?? "")]);
  return {
    ...base.read(query),
    search: "",
    ...(Object.fromEntries(filters) as Record<SalesOrderFilter, string>),
    selected: inOrder(chosenIds(query.getAll("selected").flatMap((ids) => ids.split(".")))),
  };
}

/** The list's place as a query; what is at its default is left out. */
export function salesOrderPlace(params: SalesOrderListParams): URLSearchParams {
  const query = base.write(params);
  for (const name of SALES_ORDER_FILTERS) if (params[name] !== "") query.set(name, params[name]);
  if (params.selected.length > 0) query.set("selected", inOrder(params.selected).join("."));
  return query;
}

/** The list at this place. */
export function salesOrderList(params: SalesOrderListParams, change: Partial<SalesOrderListParams> = {}): string {
  const query = salesOrderPlace({ ...params, ...change }).toString();
  return query ? `${paths.saleOrders}?${query}` : paths.saleOrders;
}
