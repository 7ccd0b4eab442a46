import { whyNotInvoice } from "~/domain/certificates/certificates.policy";
import { type ExchangeRate } from "~/lib/config.server";
import { formatEuro } from "~/lib/money";
import { type CertificateStatus, type InvoiceKind, type OrderStatus } from "~db/tables";
import { invoiceNumber } from "./invoice-content";

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

/**
 * Returns the day of the time of supply, `yyyy-MM-dd` (VAT Act 1994, section 6(4)): the day of the payment when it comes before the
 * invoice, otherwise the day of the invoice.
 *
 * @param paidOn The ISO date of the payment; null when the order is not paid.
 * @param now When the invoice is issued.
 */
export function taxPointOf(paidOn: string | null, now: Date): string {
  const [today, paid] = [now.toISOString().slice(0, 10), paidOn?.slice(0, 10)];
  return paid !== undefined && paid < today ? paid : today;
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

type NumberedInvoice = { kind: InvoiceKind; year: number; number: number; totalCents: number };

/**
 * Returns the question before an order is cancelled.
 *
 * @param invoice The order's invoice, which is credited; null when the portal issued none.
 */
export function cancelQuestion(invoice: NumberedInvoice | null, certificate: CertificateStatus | undefined): string {
  const credited = invoice
    ? `, and its invoice ${invoiceNumber(invoice)} of ${formatEuro(invoice.totalCents)} by a credit note`
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
