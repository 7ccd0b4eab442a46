import { type OrderStatus } from "~db/tables";

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
 * B §4, sales order save: Paid if chosen, else Invoiced with a number, a total above 0 and a date, else what was chosen. An order that has
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
