import { formatDate } from "~/lib/dates";
import { formatEuro } from "~/lib/money";
import { type OrderStatus } from "~db/tables";

/**
 * Returns what staff must do with the payment for an order that has ended without a certificate, or null when nothing was paid. Amounts are
 * in integer cents.
 */
export function refundText(order: {
  status: OrderStatus;
  paymentCents: number | null;
  paymentDate: string | null;
}): string | null {
  if (order.status !== "Paid" || !order.paymentCents) return null;
  return `${formatEuro(order.paymentCents)}, paid on ${formatDate(order.paymentDate)}, are to be paid back.`;
}
