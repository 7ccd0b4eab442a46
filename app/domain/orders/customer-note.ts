import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { formatDate } from "~/lib/dates";
import { formatEuro } from "~/lib/money";
import { type OrderRow } from "~db/repositories/orders.server";
import { type CertificateStatus, type CodeType } from "~db/tables";
import { staysValid } from "./invoices/invoice.policy";

export type CodeOrder = OrderRow & { codeType: CodeType; numberOfCodes: number };

/** Returns whether an order sells codes that can be registered. An order for the yearly maintenance of codes does not. */
export const sellsCodes = (order: OrderRow): order is CodeOrder =>
  order.codeType !== null && order.numberOfCodes !== null && !order.isMaintenance;

/** Returns the codes of an order in words, such as `5 × OSCAR Code Basic`. */
export const codesText = (order: CodeOrder): string => `${order.numberOfCodes} × ${CODE_TYPE_LABELS[order.codeType]}`;

export interface OrderChange {
  before: OrderRow;
  after: OrderRow;
  /** What staff wrote with the change; "" when they wrote nothing new. */
  reason: string;
  /** The status of the certificate that was ordered; undefined for an order without one. */
  certificate: CertificateStatus | undefined;
}

const isText = (text: string | false): text is string => text !== false;

const becomesCancelled = ({ before, after }: OrderChange): boolean =>
  after.status === "Cancelled" && before.status !== "Cancelled";

/** Returns whether the change takes back the payment of an order. */
export const leavesPaid = ({ before, after }: OrderChange): boolean =>
  before.status === "Paid" && after.status !== "Paid";

function moneyText(change: OrderChange): string {
  const { paymentCents, paymentDate } = change.before;
  if (!paymentCents) return becomesCancelled(change) ? "There is nothing to pay." : "The order is not paid.";
  const paid = formatEuro(paymentCents) + (paymentDate ? ` of ${formatDate(paymentDate)}` : "");
  return becomesCancelled(change)
    ? `The payment of ${paid} will be paid back.`
    : `The payment of ${paid} is not recorded any more: the order is not paid.`;
}

function goodsText({ before, certificate, ...change }: OrderChange): string | false {
  if (sellsCodes(before)) {
    if (before.status === "Paid") return `${codesText(before)}: these codes cannot be registered any more.`;
    return change.after.status === "Cancelled" && "No codes become available.";
  }
  return staysValid(certificate) && "The certificate stays valid until it is revoked.";
}

/**
 * Returns the sentences for the customer of an order that is cancelled or no longer paid: about the codes or the certificate, the money and
 * the reason. Returns an empty array when there is nothing to say. When the certificate of the order was rejected or cancelled, the
 * customer was informed then.
 */
export function customerNote(change: OrderChange): string[] {
  const { certificate, reason } = change;
  if (certificate === "Rejected" || certificate === "Cancelled") return [];
  if (!becomesCancelled(change) && !leavesPaid(change)) return [];
  return [goodsText(change), moneyText(change), reason !== "" && `Reason: ${reason}`].filter(isText);
}
