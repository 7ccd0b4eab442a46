import { formatDate } from "~/lib/dates";
import { formatSterling } from "~/lib/money";
import { type InvoiceContent, ordersText } from "./invoice-content";

/** Returns the notes of an invoice or credit note, which stand below its amounts. */
export const notesOf = (content: InvoiceContent): string[] => {
  const { vatNote, sterling, credits, seller, paidOn, replaces } = content;
  return [
    ...(vatNote === "" ? [] : [vatNote]),
    ...(sterling
      ? [
          `Amounts in sterling at £${sterling.sterlingPerEuro} for €1 (${sterling.source}, ${formatDate(sterling.date)}). The VAT ${credits ? "credited" : "due"} is ${formatSterling(sterling.vatPence)}.`,
        ]
      : []),
    ...(replaces
      ? [
          replaces.isPart
            ? `This invoice replaces invoice ${replaces.number} of ${formatDate(replaces.issuedAt)} for this order only. Credit note ${replaces.creditNote} cancels that part.`
            : `This invoice replaces invoice ${replaces.number} of ${formatDate(replaces.issuedAt)}, which credit note ${replaces.creditNote} cancels.`,
        ]
      : []),
    ...(credits
      ? [
          credits.isPart
            ? `This credit note cancels ${ordersText(content)} of invoice ${credits.number} of ${formatDate(credits.issuedAt)}, and not the rest of that invoice.`
            : `This credit note cancels invoice ${credits.number} of ${formatDate(credits.issuedAt)}.`,
          `Reason: ${credits.reason}`,
        ]
      : paidOn
        ? [`Paid on ${formatDate(paidOn)}.`]
        : seller.payment),
  ];
};
