import { formatDate } from "~/lib/dates";
import { type OrderStatus } from "~db/tables";
import { SALES_ORDER_LABELS } from "./sales-order-fields";

/** What decides the status of an order. Amounts are in integer cents. */
export interface StatusFacts {
  /** The stored status. */
  before: OrderStatus;
  chosen: OrderStatus;
  invoiceNumber: string | null;
  invoiceCents: number | null;
  invoiceDate: string | null;
  /** Whether the order was for a certificate that was rejected or cancelled. */
  hasEnded: boolean;
}

/**
 * Returns the status of a saved order (SAL-03): Paid if it was chosen; otherwise Invoiced when there are an invoice number, a total above 0
 * and a date; otherwise the chosen one. An order that has ended without a certificate is never Open again: it becomes Cancelled when it has
 * no payment and no invoice, or when its payment is taken back.
 */
export function statusAfter({ before, chosen, hasEnded, ...invoice }: StatusFacts): OrderStatus {
  if (chosen === "Paid") return "Paid";
  const { invoiceNumber, invoiceCents, invoiceDate } = invoice;
  const isInvoiced = invoiceNumber !== null && (invoiceCents ?? 0) > 0 && invoiceDate !== null;
  if (hasEnded && (before === "Paid" || !isInvoiced)) return "Cancelled";
  return isInvoiced ? "Invoiced" : chosen;
}

const DAYS = ["invoiceDate", "paymentDate"] as const;
type Days = Record<(typeof DAYS)[number], string | null>;

/**
 * Returns the first of the typed days (`yyyy-MM-dd`) that is before the day of the order, with a message, or null. A stored day that is not
 * changed, such as an imported one, is allowed.
 */
export function dayBeforeOrder(typed: Days, order: Days & { createdAt: string }) {
  const ordered = order.createdAt.slice(0, 10);
  const field = DAYS.find((name) => {
    const day = typed[name];
    return day !== null && day < ordered && day !== order[name]?.slice(0, 10);
  });
  if (!field) return null;
  const message = `${SALES_ORDER_LABELS[field]}: the date cannot be before the order date, ${formatDate(ordered)}.`;
  return { field, message };
}
