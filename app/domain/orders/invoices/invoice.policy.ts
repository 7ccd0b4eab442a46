import { whyNotInvoice } from "~/domain/certificates/certificates.policy";
import { type ExchangeRate } from "~/lib/config.server";
import { addDays } from "~/lib/dates";
import { formatEuro } from "~/lib/money";
import { type CertificateStatus, type OrderStatus } from "~db/tables";

interface Order {
  status: OrderStatus;
  totalCents: number;
  /** The number that is recorded with the order, by hand or by the portal. */
  invoiceNumber: string | null;
}

/**
 * Returns why no invoice can be issued for an order, or null when one can.
 *
 * @param hasInvoice Whether the order has an invoice of the portal without a credit note.
 * @param certificate The status of the certificate that was ordered; undefined for an order of codes.
 */
export function whyNoInvoice(
  { status, totalCents, invoiceNumber }: Order,
  hasInvoice: boolean,
  certificate: CertificateStatus | undefined,
): string | null {
  if (hasInvoice) return "The order has an invoice.";
  if (status === "Cancelled") return "The sales order is cancelled: it gets no invoice.";
  if (totalCents <= 0) return "There is nothing to pay for this order: it gets no invoice.";
  if (invoiceNumber !== null)
    return `Invoice ${invoiceNumber} was recorded by hand. Remove its number before the portal issues one.`;
  if (certificate !== undefined && whyNotInvoice(certificate) !== null)
    return "The invoice is issued together with the certificate.";
  return null;
}

/** An invoice that is issued within so many days of the supply moves its tax point to the day of the invoice (VAT Act 1994, section 6(5)). */
const INVOICED_WITHIN_DAYS = 14;

/**
 * Returns the day of the time of supply, `yyyy-MM-dd` (VAT Act 1994, section 6(3) to (5)): the day of the payment when it comes before the
 * invoice, otherwise the day of the invoice, or that of the supply when the invoice comes more than 14 days later.
 *
 * @param paidOn The ISO date of the payment; null when the order is not paid.
 * @param suppliedOn The ISO date of the supply; null when nothing was supplied before the invoice.
 * @param now When the invoice is issued.
 */
export function taxPointOf(
  { paidOn, suppliedOn }: { paidOn: string | null; suppliedOn: string | null },
  now: Date,
): string {
  const today = now.toISOString().slice(0, 10);
  const isLate =
    suppliedOn !== null && suppliedOn.slice(0, 10) < addDays(now, -INVOICED_WITHIN_DAYS).toISOString().slice(0, 10);
  const days = [isLate ? suppliedOn.slice(0, 10) : today, ...(paidOn === null ? [] : [paidOn.slice(0, 10)])];
  return days.toSorted()[0] as string;
}

/** At which hour of the last day of a month its invoices are issued (UTC). */
const MONTH_END_HOUR = 22;

const monthEnd = (year: number, month: number) => new Date(Date.UTC(year, month + 1, 0, MONTH_END_HOUR));

/** Returns the last instant, at or before `now`, at which the invoices of a month were due. They are for what was supplied before it. */
export function lastMonthEnd(now: Date): Date {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const end = monthEnd(year, month);
  return end <= now ? end : monthEnd(year, month - 1);
}

/** Returns the next instant after `now` at which the invoices of a month are due. */
export function nextMonthEnd(now: Date): Date {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const end = monthEnd(year, month);
  return end > now ? end : monthEnd(year, month + 1);
}

/** Returns the newest exchange rate that was in force on this day (`yyyy-MM-dd`), or the oldest one when the day is before all rates. */
export function rateOn(
  day: string,
  { earlier = [], ...current }: ExchangeRate & { earlier?: ExchangeRate[] | undefined },
) {
  const newestFirst = [current, ...earlier].sort((one, other) => other.date.localeCompare(one.date));
  return newestFirst.find(({ date }) => date <= day) ?? newestFirst.at(-1) ?? current;
}

/** Returns whether the certificate of an order stays usable until it is revoked, whatever happens to the order. */
export const staysValid = (status: CertificateStatus | undefined): boolean =>
  status === "Issued" || status === "Downloaded" || status === "RequestRevoke";

/** What an invoice charges for an order, in integer cents, and whether it is for other orders, too. */
interface ChargedOn {
  /** The number as people see it. */
  number: string;
  totalCents: number;
  isPart: boolean;
}

/**
 * Returns the question before an order is cancelled.
 *
 * @param invoice The order's invoice, which is credited; null when the portal issued none.
 */
export function cancelQuestion(invoice: ChargedOn | null, certificate: CertificateStatus | undefined): string {
  const credited = invoice
    ? `, and its ${invoice.isPart ? "part of " : ""}invoice ${invoice.number} of ${formatEuro(invoice.totalCents)} by a credit note`
    : "";
  const question = `Are you sure you wish to cancel this order${credited}? This process cannot be reversed.`;
  if (!staysValid(certificate)) return question;
  return `${question} Its certificate stays valid until it is revoked.`;
}

/** Returns the question before a change of an order's status makes the portal issue its invoice. */
export function issueQuestion(
  order: Pick<Order, "totalCents"> & Record<"invoiceCents" | "invoiceDate", unknown>,
): string {
  const question = `Are you sure you wish to issue the invoice for this order, of ${formatEuro(order.totalCents)} and with today’s date?`;
  if (order.invoiceCents === null && order.invoiceDate === null) return question;
  return `${question} Invoice total and date that were typed without a number are not used.`;
}
