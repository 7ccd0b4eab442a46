import {
  type InvoiceContent,
  type InvoicedOrder,
  ordersText,
  paymentLines,
  prepaidOf,
} from "~/domain/orders/invoices/invoice-content";
import { formatDate } from "~/lib/dates";
import { formatEuro } from "~/lib/money";
import { composeMail, type ComposedMail } from "../compose.server";

export interface InvoiceMailData {
  name: string;
  content: InvoiceContent;
  /** The page where the PDF can be downloaded after logging in. */
  url: string;
}

/** As many orders are named in a message. The document names all of them. */
const NAMED = 10;

const namesOf = (orders: readonly InvoicedOrder[]): string =>
  orders.length > NAMED
    ? `${orders.length}, named in the attached document`
    : orders.map(({ number }) => number).join(", ");

const amounts = ({ netCents, vatCents, totalCents, vatNote, ...content }: InvoiceContent) =>
  [
    ["Sales order number", content.orderNumber],
    ["Sales orders", namesOf(content.orders ?? [])],
    ["Purchase order number", content.purchaseOrderNumber],
    ["Net amount", formatEuro(netCents)],
    ["VAT amount", formatEuro(vatCents)],
    [content.credits ? "Total credited" : "Total", formatEuro(totalCents)],
    ["VAT", vatNote],
  ] as const;

function nextOf(content: InvoiceContent): string {
  const { paidOn, totalCents, seller } = content;
  const paid = prepaidOf(content);
  if (paid > totalCents) return "There is nothing to pay: we pay back what was paid too much.";
  if (paidOn) return `There is nothing to pay: it was paid on ${formatDate(paidOn)}.`;
  return [paid > 0 ? "Please pay what is still to pay." : "Please pay the invoice.", ...seller.payment].join(" ");
}

const replacing = ({ replaces }: InvoiceContent) =>
  replaces?.isPart
    ? [
        `It replaces invoice ${replaces.number} for this order only. Credit note ${replaces.creditNote} cancels that part.`,
      ]
    : replaces
      ? [
          `It replaces invoice ${replaces.number}, which credit note ${replaces.creditNote} cancels. Do not pay that one.`,
        ]
      : [];

const forPrograms = ({ data }: InvoiceContent) =>
  data ? ["The PDF also contains it as data for accounting programs (Factur-X, EN 16931)."] : [];

/** Composes the message with an invoice or a credit note, which is attached. */
export function invoiceMail({ name, content, url }: InvoiceMailData): ComposedMail {
  const { number, issuedAt, orderNumber, orders, credits } = content;
  const about = orders ? `${orders.length} orders` : `Order ${orderNumber}`;
  if (credits)
    return composeMail({
      subject: `${about}: credit note ${number}`,
      greeting: name,
      paragraphs: [
        credits.isPart
          ? `Please find attached credit note ${number}. It cancels ${ordersText(content)} of invoice ${credits.number}. The other orders of that invoice are not affected.`
          : `Please find attached credit note ${number}. It cancels invoice ${credits.number}.`,
        ...forPrograms(content),
      ],
      facts: [
        ["Credit note number", number],
        ["Credit note date", formatDate(issuedAt)],
        ["Invoice number", credits.number],
        ["Reason", credits.reason],
        ...amounts(content),
      ],
      next: "Please keep the credit note with the invoice. The portal offers it, too.",
      action: { label: "Download the credit note", url },
    });
  return composeMail({
    subject: `${about}: your invoice ${number}`,
    greeting: name,
    paragraphs: [
      `Please find attached invoice ${number} for your ${orders ? `${orders.length} orders of the month` : "order"}.`,
      ...replacing(content),
      ...forPrograms(content),
    ],
    facts: [
      ["Invoice number", number],
      ["Invoice date", formatDate(issuedAt)],
      ...amounts(content),
      ...paymentLines(content).map(([label, cents]) => [label, formatEuro(cents)] as const),
    ],
    next: nextOf(content),
    action: { label: "Download the invoice", url },
  });
}
