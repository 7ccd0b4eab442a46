import { orderNumber } from "../order-number";
import { type SalesOrderFilter } from "./sales-order-list";

/** The labels of the search fields, in the order of the page. */
export const FILTER_LABELS: Readonly<Record<SalesOrderFilter, string>> = {
  from: "From date",
  to: "To date",
  company: "Company",
  status: "Status",
  orderNumber: "Order number",
  orderType: "Type",
  userName: "User name",
  country: "Country",
};

/** The maximum number of orders that can be selected, as many as the longest page has. */
export const MOST_CHOSEN = 100;

const EXAMPLE = 1005;

export const LIST_TEXTS = {
  datesReversed: "The to date is before the from date.",
  chooseOne: "Select exactly one sales order to view its details.",
  chooseSome: "Select the sales orders to export first.",
  tooMany: `Select at most ${MOST_CHOSEN} sales orders.`,
  noneOf: (ids: readonly number[]) => `These sales orders do not exist: ${ids.map(orderNumber).join(", ")}.`,
  noNumber: `Enter an order number such as ${EXAMPLE} or ${orderNumber(EXAMPLE)}.`,
  nothing: "There is nothing to export: no sales order matches the search.",
} as const;
