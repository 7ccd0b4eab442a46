import { formatDate } from "~/lib/dates";
import { type OrderStatus } from "~db/tables";
import { SALES_ORDER_LABELS } from "./sales-order-fields";

/** What an order's status is decided by. Money in integer cents. */
export interface StatusFacts {
  /** As it is stored. */
  before: OrderStatus;
  chosen: OrderStatus;
  invoiceNumber: string | null;
  invoiceCents: number | null;
  invoiceDate: string | null;
  /** It was for a certificate that was rejected or cancelled. */
  hasEnded: boolean;
}

/**
 * SAL-03, sales order save: Paid if chosen, else Invoiced with a number, a total above 0 and a date, else what was chosen. An order that has
 * ended without a certificate is not open for anything any more: without payment and invoice, or when its payment is taken back, it is
 * Cancelled.
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
 * Of the days that staff typed (`yyyy-MM-dd`) the first one before the day of the order, and what is said of it; null when there is none.
 * One that was stored already, such as an imported one, stays as it is.
 */
export function dayBeforeOrder(typed: Days, order: Days & { createdAt: string }) {
  const ordered = order.createdAt.slice(0, 10);
  const field = DAYS.find((name) => {
    const day = typed[name];
    return day !== null && day < ordered && day !== order[name]?.slice(0, 10);
  });
  if (!field) return null;
  const message = `${SALES_ORDER_LABELS[field]}: the day cannot be before that of the order, ${formatDate(ordered)}.`;
  return { field, message };
}
