import { defineList, matching, type ParamsOf, rowId, rowIds, typedTexts } from "~/lib/list-params";
import { paths } from "~/lib/paths";

/** The columns by the names of the specification (SAL-01). All of them can be sorted. */
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

/** The fields of the search, as typed (SAL-01). */
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

/** The value of the filter `orderType` for all orders of codes, of whatever type. */
export const CODE_ORDERS = "codes";

export const salesOrderList = defineList({
  path: paths.salesOrders,
  sorts: SALES_ORDER_SORTS,
  first: { key: "orderDate", direction: "desc" },
  filters: {
    ...typedTexts(SALES_ORDER_FILTERS),
    /** Only the orders of this company. */
    companyId: rowId,
    /** Only the orders with an invoice or credit note of this month, for example `2026-11`. */
    invoiced: matching(/^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/),
    /** Only the orders on which more was paid than they cost. */
    overpaid: matching(/^yes$/),
    /** The ticked orders, including those on other pages. */
    selected: rowIds,
  },
});

export type SalesOrderListParams = ParamsOf<typeof salesOrderList>;
