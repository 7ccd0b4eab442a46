import { formatEuro } from "~/lib/money";
import { composeMail, type ComposedMail } from "../compose.server";
import { type MailStep } from "../parts";

export interface CodeOrderData {
  name: string;
  /** Who ordered, with the name of the API client. Null for an order that was placed in person. */
  orderedBy: string | null;
  orderNumber: string;
  purchaseOrderNumber: string;
  /** The label of the code type. */
  codeType: string;
  numberOfCodes: number;
  perCodeCents: number;
  netCents: number;
  vatCents: number;
  totalCents: number;
  /** How far the order is. */
  steps: readonly MailStep[];
  /** The page where the customer can follow the order. */
  url: string;
}

/** Confirms an order of codes to the customer (MAI-01, CPO-03). Amounts are in integer cents. */
export const codeOrderMail = (data: CodeOrderData): ComposedMail =>
  composeMail({
    subject: `Order ${data.orderNumber}: we have received your order of ID codes`,
    greeting: data.name,
    paragraphs: ["Thank you for your purchase. These are the details of your order."],
    facts: [
      ["Sales order number", data.orderNumber],
      ["Purchase order number", data.purchaseOrderNumber],
      ["Ordered by", data.orderedBy ?? ""],
      ["Code type", data.codeType],
      ["Quantity", String(data.numberOfCodes)],
      ["Price per code", formatEuro(data.perCodeCents)],
      ["Net amount", formatEuro(data.netCents)],
      ["VAT amount", formatEuro(data.vatCents)],
      ["Total order cost", formatEuro(data.totalCents)],
    ],
    steps: data.steps,
    next: "An invoice follows. Once it is paid your codes become available: you will receive an email and can then register your entities.",
    action: { label: "Follow your order", url: data.url },
  });

export type OrderedCodesData = Pick<
  CodeOrderData,
  "name" | "orderNumber" | "purchaseOrderNumber" | "codeType" | "numberOfCodes" | "url"
>;

const orderedCodes = (data: OrderedCodesData): [string, string][] => [
  ["Sales order number", data.orderNumber],
  ["Purchase order number", data.purchaseOrderNumber],
  ["Code type", data.codeType],
  ["Quantity", String(data.numberOfCodes)],
];

/** Informs the customer that the codes of a paid order can be registered. */
export const codesAvailableMail = (data: OrderedCodesData): ComposedMail =>
  composeMail({
    subject: `Order ${data.orderNumber}: your ID codes are available`,
    greeting: data.name,
    paragraphs: ["We have received your payment. Your codes are available."],
    facts: orderedCodes(data),
    next: "You can register your entities now.",
    action: { label: "Register your entities", url: data.url },
  });

/** Informs the owner of codes about the cost of a year's maintenance. Amounts are in integer cents. */
export const codeMaintenanceMail = (data: {
  name: string;
  orderNumber: string;
  purchaseOrderNumber: string;
  year: number;
  /** The number of codes that are charged. Sub-codes are not counted. */
  numberOfCodes: number;
  netCents: number;
  vatCents: number;
  totalCents: number;
  url: string;
}): ComposedMail =>
  composeMail({
    subject: `Order ${data.orderNumber}: maintenance of your ID codes in ${data.year}`,
    greeting: data.name,
    paragraphs: [
      `The yearly maintenance of your registered ID codes is due for ${data.year}. Codes that were registered during the year are charged from the month of their registration.`,
    ],
    facts: [
      ["Sales order number", data.orderNumber],
      ["Purchase order number", data.purchaseOrderNumber],
      ["Number of codes", String(data.numberOfCodes)],
      ["Net amount", formatEuro(data.netCents)],
      ["VAT amount", formatEuro(data.vatCents)],
      ["Total order cost", formatEuro(data.totalCents)],
    ],
    next: "There is nothing to do yet: an invoice follows.",
    action: { label: "View your orders", url: data.url },
  });
