import { formatEuro } from "~/lib/money";
import { type OrderStatus } from "~db/tables";
import { settlementText } from "./settlement.policy";

/** What a correction does, for the sentences that say so. Amounts are in integer cents. */
export interface CorrectionEffect {
  /** The number of the invoice that is replaced, what it charges for the order, and whether it is for other orders, too; or null. */
  replaced: { number: string; totalCents: number; isPart: boolean } | null;
  /** The number of the invoice that the order has, or null. */
  invoice: string | null;
  /** The corrected email of the invoice address, to which the invoice that stays is sent, or null. */
  sentTo: string | null;
  order: { status: OrderStatus; paymentCents: number | null };
  totalBefore: number;
  totalAfter: number;
  /** Whether only contacts of the certificate change. */
  isContacts: boolean;
}

function mainText({ replaced, invoice, sentTo, totalAfter, isContacts }: CorrectionEffect): string {
  if (replaced?.isPart)
    return `The part of invoice ${replaced.number} for this order, ${formatEuro(replaced.totalCents)}, is cancelled by a credit note, and a new invoice of ${formatEuro(totalAfter)} is issued. The other orders of that invoice are not affected.`;
  if (replaced)
    return `Invoice ${replaced.number} of ${formatEuro(replaced.totalCents)} is cancelled by a credit note, and a new invoice of ${formatEuro(totalAfter)} is issued.`;
  if (isContacts)
    return invoice
      ? "The order is corrected. Its certificate and its invoice stay as they are."
      : "The order is corrected.";
  if (invoice)
    return `The order is corrected. Invoice ${invoice} stays as it is, because it does not state what you correct.${sentTo === null ? "" : ` It is now sent to ${sentTo} as well.`}`;
  return totalAfter === 0 ? "The order is corrected." : "The order is corrected. Nothing has been invoiced yet.";
}

/** Returns what a correction does, a sentence each. */
export function effectTexts(effect: CorrectionEffect): string[] {
  const { replaced, order, totalBefore, totalAfter } = effect;
  const settlement = totalBefore === totalAfter ? null : settlementText({ ...order, totalCents: totalAfter });
  const total =
    totalBefore === totalAfter || replaced
      ? []
      : [`The total changes from ${formatEuro(totalBefore)} to ${formatEuro(totalAfter)}.`];
  const sent = replaced ? ["Both are sent by email, and are with the order."] : [];
  return [mainText(effect), ...total, ...sent, ...(settlement ? [settlement] : [])];
}
