import { formatDate } from "~/lib/dates";
import { formatEuro } from "~/lib/money";
import { type OrderStatus } from "~db/tables";

/** What staff do with the money of a paid order without a certificate; null when nothing was paid. In: money in integer cents. */
export function refundText(order: {
  status: OrderStatus;
  paymentCents: number | null;
  paymentDate: string | null;
}): string | null {
  if (order.status !== "Paid" || !order.paymentCents) return null;
  return `${formatEuro(order.paymentCents)}, paid on ${formatDate(order.paymentDate)}, are to be paid back.`;
}
