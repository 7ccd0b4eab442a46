import { formatDate } from "~/lib/dates";
import { formatSterling } from "~/lib/money";
import { type InvoiceContent } from "./invoice-content";

/** Returns the notes of an invoice or credit note, which stand below its amounts. */
export const notesOf = ({ vatNote, sterling, credits, seller, paidOn, replaces }: InvoiceContent): string[] => [
  ...(vatNote === "" ? [] : [vatNote]),
  ...(sterling
    ? [
        `Amounts in sterling at £${sterling.sterlingPerEuro} for €1 (${sterling.source}, ${formatDate(sterling.date)}). The VAT ${credits ? "credited" : "due"} is ${formatSterling(sterling.vatPence)}.`,
      ]
    : []),
  ...(replaces
    ? [
        `This invoice replaces invoice ${replaces.number} of ${formatDate(replaces.issuedAt)}, which credit note ${replaces.creditNote} cancels.`,
      ]
    : []),
  ...(credits
    ? [
        `This credit note cancels invoice ${credits.number} of ${formatDate(credits.issuedAt)}.`,
        `Reason: ${credits.reason}`,
      ]
    : paidOn
      ? [`Paid on ${formatDate(paidOn)}.`]
      : seller.payment),
];
