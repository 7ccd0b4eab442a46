import { dayError } from "~/lib/date-errors";
import { addDays, addMonths } from "~/lib/dates";
import { foldForSearch } from "~/lib/fold-text";
import { messages } from "~/lib/messages";
import { searchWords } from "~/lib/search-words";
import { readDay } from "~/lib/typed-dates";
import { type SalesOrderConditions } from "~db/repositories/sales-order-list.server";
import { ORDER_TYPES } from "~db/tables/orders";
import { ORDER_STATUSES } from "../sales-order-fields";
import { numberOf } from "../typed-number";
import { CODE_ORDERS, type SalesOrderFilter, type SalesOrderListParams } from "./sales-order-list";
import { LIST_TEXTS } from "./texts";

export type SalesOrderListErrors = Partial<Record<SalesOrderFilter, string>>;

/** Returns the start of the next day, or null after the last day that the databases support. */
function dayAfter(day: Date): string | null {
  const next = addDays(day, 1);
  return next.getUTCFullYear() > 9999 ? null : next.toISOString();
}

/** Reads a typed day. The year 0001 is the empty date (GEN-01). */
function dayOf(typed: string): Date | "none" | "wrong" {
  if (typed === "") return "none";
  const day = readDay(typed);
  if (day === null) return "wrong";
  return day.startsWith("0001-") ? "none" : new Date(`${day}T00:00:00Z`);
}

/** Returns the ends of a month such as `2026-11`. */
function monthOf(month: string): { from: string; to: string } {
  const from = new Date(`${month}-01T00:00:00Z`);
  return { from: from.toISOString(), to: addMonths(from, 1).toISOString() };
}

/**
 * Returns the conditions of a search, or its errors by field. The country -1 means no country (SAL-01, API-03).
 *
 * @param countries The ids of all countries.
 */
export function readCriteria(
  params: Pick<SalesOrderListParams, SalesOrderFilter | "companyId" | "invoiced" | "overpaid">,
  countries: ReadonlySet<number>,
): { criteria: SalesOrderConditions } | { errors: SalesOrderListErrors } {
  const errors: SalesOrderListErrors = {};
  const [from, to] = [dayOf(params.from), dayOf(params.to)];
  if (from === "wrong") errors.from = dayError(params.from);
  if (to === "wrong") errors.to = dayError(params.to);
  if (from instanceof Date && to instanceof Date && to < from) errors.to = LIST_TEXTS.datesReversed;
  const status = ORDER_STATUSES.find((name) => name === params.status) ?? null;
  if (params.status !== "" && status === null) errors.status = messages.collection;
  const orderType = ORDER_TYPES.find((name) => name === params.orderType) ?? null;
  const isOfCodes = params.orderType === CODE_ORDERS;
  if (params.orderType !== "" && orderType === null && !isOfCodes) errors.orderType = messages.collection;
  const id = numberOf(foldForSearch(params.orderNumber));
  if (params.orderNumber !== "" && id === null) errors.orderNumber = LIST_TEXTS.noNumber;
  const country = params.country === "-1" ? "" : params.country;
  if (country !== "" && !countries.has(Number(country))) errors.country = messages.collection;
  if (Object.keys(errors).length > 0) return { errors };
  return {
    criteria: {
      id,
      companyId: params.companyId,
      from: from instanceof Date ? from.toISOString() : null,
      to: to instanceof Date ? dayAfter(to) : null,
      status,
      orderType,
      isOfCodes,
      invoiced: params.invoiced === null ? null : monthOf(params.invoiced),
      isOverpaid: params.overpaid !== null,
      countryId: country === "" ? null : Number(country),
      user: foldForSearch(params.userName),
      companyWords: searchWords(params.company),
    },
  };
}
