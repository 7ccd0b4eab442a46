import { formatDate } from "~/lib/dates";
import { type InvoiceRow } from "~db/repositories/invoices.server";
import { orderNumber } from "../order-number";
import {
  type InvoicedOrder,
  type InvoiceLine,
  invoiceNumber,
  parseInvoiceContent,
  type SterlingAmounts,
} from "./invoice-content";
import { type InvoiceDraft, sterlingOf } from "./invoice-draft.server";

/** The content of the invoice of one order, and the day of its supply, `yyyy-MM-dd`. */
export interface SuppliedDraft {
  draft: InvoiceDraft;
  suppliedOn: string;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** Returns a text that is the same for orders that can be on one invoice: same buyer, VAT and rate, and nothing is paid yet. */
export function sharedTerms({ draft }: SuppliedDraft): string {
  const { buyer, purchaseOrderNumber, vatRate, vatNote, data, sterling, paidOn, prepaidCents } = draft;
  const rate = sterling && [sterling.sterlingPerEuro, sterling.date, sterling.source];
  const isPaid = Boolean(paidOn) || prepaidCents !== undefined;
  return JSON.stringify([buyer, purchaseOrderNumber, vatRate, vatNote, data, rate, isPaid && draft.orderNumber]);
}

function orderOf({ draft, suppliedOn }: SuppliedDraft): InvoicedOrder {
  const { orderNumber: number, orderDate, taxPoint = suppliedOn, netCents, vatCents, totalCents } = draft;
  return { number, orderDate, suppliedOn, taxPoint, netCents, vatCents, totalCents };
}

const about = ({ number, orderDate, suppliedOn, taxPoint }: InvoicedOrder) =>
  `Sales order ${number} of ${formatDate(orderDate)}, supplied on ${formatDate(suppliedOn)}, tax point ${formatDate(taxPoint)}`;

/** The sums of the orders' own amounts, so that what is credited for one of them is a part of the whole to the penny. */
function sterlingSum(all: readonly (SterlingAmounts | null)[]): SterlingAmounts | null {
  const [first] = all;
  if (!first) return null;
  const amounts = all.flatMap((one) => one ?? []);
  const totalOf = (name: "netPence" | "vatPence" | "totalPence") => sum(amounts.map((one) => one[name]));
  return { ...first, netPence: totalOf("netPence"), vatPence: totalOf("vatPence"), totalPence: totalOf("totalPence") };
}

/**
 * Returns the content of one invoice for several orders with the same `sharedTerms`. Each line names its order, with the day of its supply and
 * its tax point. For a single order it is the content of that order's own invoice.
 */
export function monthlyDraft(supplied: readonly [SuppliedDraft, ...SuppliedDraft[]]): InvoiceDraft {
  const [{ draft: first }, ...others] = supplied;
  if (others.length === 0) return first;
  const orders = supplied.map(orderOf);
  const lines = supplied.flatMap(({ draft }, index) => {
    const order = orders[index] as InvoicedOrder;
    return draft.lines.map((line): InvoiceLine => {
      const detail = [about(order), line.detail].filter(Boolean).join("; ");
      return { ...line, detail, order: order.number };
    });
  });
  const { taxPoint: _, ...common } = first;
  return {
    ...common,
    orderNumber: "",
    orderDate: "",
    orders,
    lines,
    netCents: sum(orders.map(({ netCents }) => netCents)),
    vatCents: sum(orders.map(({ vatCents }) => vatCents)),
    totalCents: sum(orders.map(({ totalCents }) => totalCents)),
    sterling: sterlingSum(supplied.map(({ draft }) => draft.sterling)),
  };
}

/** Returns the number of a stored invoice, the amount of the order with which it was read, and whether it is for other orders, too. */
export function partOfOrder(row: InvoiceRow): { number: string; totalCents: number; isPart: boolean } {
  const content = parseInvoiceContent(row.content);
  const { totalCents } = shareOf(content, [orderNumber(row.orderId)]);
  return { number: invoiceNumber(row), totalCents, isPart: (content.orders ?? []).length > 1 };
}

/**
 * Returns what an invoice says about some of its orders. An invoice of one order is returned as it is.
 *
 * @param numbers The numbers of the orders. Throws an Error when the invoice has none of them.
 */
export function shareOf<Content extends InvoiceDraft>(content: Content, numbers: readonly string[]): Content {
  if (!content.orders) return content;
  const orders = content.orders.filter(({ number }) => numbers.includes(number));
  const [first, ...others] = orders;
  if (!first) throw new Error(`The invoice is not for ${numbers.join(", ")}.`);
  const share = {
    ...content,
    lines: content.lines.filter(({ order }) => order !== undefined && numbers.includes(order)),
    netCents: sum(orders.map(({ netCents }) => netCents)),
    vatCents: sum(orders.map(({ vatCents }) => vatCents)),
    totalCents: sum(orders.map(({ totalCents }) => totalCents)),
    sterling: sterlingSum(orders.map((order) => sterlingOf(order, content.sterling ?? undefined))),
  };
  if (others.length > 0) return { ...share, orders };
  const { orders: _, ...single } = share;
  const { number: orderNumber, orderDate, taxPoint } = first;
  return { ...single, orderNumber, orderDate, taxPoint } as Content;
}
