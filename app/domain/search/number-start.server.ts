import { may } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { orderNumber } from "~/domain/orders/order-number";
import { orderTypeLabel } from "~/domain/orders/order-types";
import { GLANCED } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import {
  certificateOrdersWithinQuery,
  invoicesWithinQuery,
  listInvoicesShown,
  listOrdersShown,
  ordersWithinQuery,
  recordedWithinQuery,
} from "~db/repositories/exact-search.server";
import { type NumberRange, SHORTEST_START } from "./number-start.policy";
import { invoiceResults, orderPageFor, recordedResult } from "./numbered.server";
import { SHOWN_NUMBERS } from "./search-kinds";
import { type SearchGroup, type SearchResult } from "./search-result";
import { type TypedWords } from "./typed-words.policy";

type Found = Omit<SearchGroup, "kind">;

/** One more than are counted. */
const MOST = GLANCED + 1;

/** Returns what was found, or null when nothing was. At most MOST were looked for. */
function foundOf(count: number, results: SearchResult[]): Found | null {
  if (results.length === 0) return null;
  return { results, total: Math.min(count, GLANCED), hasMore: count > GLANCED, all: null };
}

/** Returns the first ids that these ranges have, in their order. `find` returns those of one range. */
async function firstOf(
  ranges: readonly NumberRange[],
  find: (range: NumberRange, limit: number) => Promise<readonly { id: number }[]>,
): Promise<number[]> {
  const ids: number[] = [];
  for (const range of ranges) {
    if (ids.length >= MOST) break;
    for (const { id } of await find(range, MOST - ids.length)) ids.push(id);
  }
  return ids;
}

/** Returns the ids of the orders of a range that have a page for this user (`orderPageFor`), the newest first. */
async function ordersWithin(user: SessionUser, range: NumberRange, limit: number): Promise<{ id: number }[]> {
  const db = getDb();
  if (may(user, "see-sales-orders")) return ordersWithinQuery(db, range, undefined, limit).execute();
  const own = await ordersWithinQuery(db, range, user.companyId, limit).execute();
  if (!may(user, "see-customers")) return own;
  const others = await certificateOrdersWithinQuery(db, range, limit).execute();
  const ids = [...new Set([...own, ...others].map(({ id }) => id))].sort((one, other) => other - one);
  return ids.slice(0, limit).map((id) => ({ id }));
}

/** Finds the newest orders that this user may see and whose numbers begin with what was typed. Returns null when there are none. */
export async function findOrdersStarting(user: SessionUser, typed: TypedWords): Promise<Found | null> {
  const ids = await firstOf(typed.orderStart, (range, limit) => ordersWithin(user, range, limit));
  if (ids.length === 0) return null;
  const results: SearchResult[] = [];
  for (const order of await listOrdersShown(getDb(), ids.slice(0, SHOWN_NUMBERS))) {
    const href = await orderPageFor(user, order);
    if (href === null) continue;
    const detail = `${orderTypeLabel(order.orderType)} · ${order.company}`;
    results.push({ id: order.id, href, title: orderNumber(order.id), detail, status: order.status });
  }
  return foundOf(ids.length, results);
}

/**
 * Finds the newest invoices and credit notes that this user may see and whose numbers begin with what was typed, or else, for staff who see
 * sales orders, those whose numbers were recorded by hand. Returns null when there are none.
 */
export async function findInvoicesStarting(user: SessionUser, typed: TypedWords): Promise<Found | null> {
  const { invoiceStart: start, text } = typed;
  const companyId = may(user, "see-customers") ? undefined : user.companyId;
  const ids = start
    ? await firstOf(start.numbers, (numbers, limit) =>
        invoicesWithinQuery(getDb(), { ...start, numbers }, companyId, limit).execute(),
      )
    : [];
  if (ids.length > 0) {
    const shown = await listInvoicesShown(getDb(), ids.slice(0, SHOWN_NUMBERS));
    return foundOf(ids.length, await invoiceResults(user, shown));
  }
  if (text.length < SHORTEST_START || !may(user, "see-sales-orders")) return null;
  const recorded = await recordedWithinQuery(getDb(), text, MOST).execute();
  return foundOf(recorded.length, recorded.slice(0, SHOWN_NUMBERS).map(recordedResult));
}
