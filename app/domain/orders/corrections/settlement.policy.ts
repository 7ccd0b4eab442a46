import { formatEuro } from "~/lib/money";
import { type OrderStatus } from "~db/tables";

/** Amounts of an order in integer cents. */
interface Paid {
  status: OrderStatus;
  totalCents: number;
  paymentCents: number | null;
}

/**
 * Returns the status of an order whose total becomes another one. An order that was paid is paid no more when its payment does not reach the
 * new total. It is Open until its new invoice is issued.
 */
export function statusAtTotal(before: Paid, totalCents: number): OrderStatus {
  const paidCents = before.paymentCents ?? before.totalCents;
  const isDue = before.status === "Paid" && totalCents > before.totalCents && paidCents < totalCents;
  return isDue ? "Open" : before.status;
}

/** Returns how much is to be paid back because more was paid than the order costs, in a few words, or null. */
export function overpaidText({ status, totalCents, paymentCents }: Paid): string | null {
  if (status === "Cancelled" || paymentCents === null || paymentCents <= totalCents) return null;
  return `${formatEuro(paymentCents - totalCents)} to be paid back`;
}

/** Returns what is to be paid or to be paid back after a correction, in a sentence, or null when the payment is the total. */
export function settlementText({ status, totalCents, paymentCents }: Paid): string | null {
  if (paymentCents === null || status === "Cancelled" || paymentCents === totalCents) return null;
  const paid = `${formatEuro(paymentCents)} of ${formatEuro(totalCents)} were paid`;
  return paymentCents > totalCents
    ? `${formatEuro(paymentCents)} were paid and the total is ${formatEuro(totalCents)}: ${formatEuro(paymentCents - totalCents)} are to be paid back.`
    : `${paid}: ${formatEuro(totalCents - paymentCents)} are still to be paid.`;
}
