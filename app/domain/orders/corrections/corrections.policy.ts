import { addDays, formatDate } from "~/lib/dates";
import { type CertificateStatus, type OrderStatus } from "~db/tables";

/** For how many days after its start (`correctionStart`) an order can be corrected. */
export const CORRECTION_DAYS = 30;

/** How often an order can be corrected, not counting corrections of its certificate. */
export const CORRECTIONS_PER_ORDER = 5;

/** What decides whether an order can be corrected. Dates are ISO timestamps. */
export interface CorrectableOrder {
  status: OrderStatus;
  createdAt: string;
  totalCents: number;
  /** When the first invoice of the order was issued or recorded. A new invoice after a correction gives no more time. */
  firstInvoicedAt: string | null;
  paymentDate: string | null;
  /** Null for an order of codes. */
  certificate: { status: CertificateStatus; issuedAt: string | null } | null;
  /** How many corrections were made, without those that ordered a certificate again: these have a limit of their own. */
  made: number;
}

/**
 * Returns the instant from which the days of correction count, or null while the order is open: the issue of its certificate, for codes its
 * first invoice or payment. An order of codes that costs nothing is complete when it is placed.
 */
export function correctionStart(order: CorrectableOrder): string | null {
  if (order.certificate) return order.certificate.issuedAt;
  const { firstInvoicedAt, paymentDate, totalCents, createdAt } = order;
  return firstInvoicedAt ?? paymentDate ?? (totalCents <= 0 ? createdAt : null);
}

/** Returns until when an order can be corrected, or null while it is open. */
export function correctableUntil(order: CorrectableOrder): Date | null {
  const start = correctionStart(order);
  return start === null ? null : addDays(new Date(start), CORRECTION_DAYS);
}

const startText = ({ certificate, totalCents }: CorrectableOrder) => {
  if (certificate) return "the issue of its certificate";
  return totalCents <= 0 ? "the order" : "its invoice";
};

/** Returns why an order cannot be corrected now, in a sentence, or null when it can. */
export function whyNotCorrect(order: CorrectableOrder, now: Date): string | null {
  const { status, certificate, made } = order;
  if (certificate?.status === "Rejected") return "The order was rejected: there is nothing to correct.";
  if (status === "Cancelled" || certificate?.status === "Cancelled")
    return "The order was cancelled: there is nothing to correct.";
  const until = correctableUntil(order);
  if (until !== null && now > until)
    return `An order can be corrected for ${CORRECTION_DAYS} days from ${startText(order)}. This one could be until ${formatDate(until.toISOString())}. Contact us.`;
  if (made >= CORRECTIONS_PER_ORDER)
    return `This order was corrected ${CORRECTIONS_PER_ORDER} times, and cannot be corrected again. Contact us.`;
  return null;
}
