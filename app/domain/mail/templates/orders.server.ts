import { formatDate } from "~/lib/dates";
import { formatEuro } from "~/lib/money";
import { composeMail, type ComposedMail } from "../compose.server";
import { type MailStep } from "../parts";

const years = (count: number) => `${count} ${count === 1 ? "year" : "years"}`;

/** The certificate that an order renews. */
interface Renewed {
  certificateId: number;
  commonName: string;
  /** An ISO 8601 timestamp. */
  expiryDate: string;
}

const renewedText = ({ certificateId, commonName, expiryDate }: Renewed) =>
  `${certificateId} (${commonName}), valid until ${formatDate(expiryDate)}`;

export interface OrderConfirmationData {
  name: string;
  /** Who ordered, with the name of the API client. Null for an order that was placed in person. */
  orderedBy: string | null;
  orderNumber: string;
  renewed?: Renewed | null;
  purchaseOrderNumber: string;
  commonName: string;
  validityYears: number;
  promotionCode: string | null;
  discountCents: number;
  netCents: number;
  vatCents: number;
  totalCents: number;
  /**
   * Whether the request to the contact is sent, is held until the customer's email address is confirmed, is not sent because the contact
   * wants no messages, or is not needed because the order is within a standing authorisation.
   */
  contactIs: "asked" | "asked-later" | "not-asked" | "not-needed";
  /** How far the order is. */
  steps: readonly MailStep[];
  /** The page where the customer can follow the order. */
  url: string;
}

const CONTACT_IS_ASKED = "Your authentication contact is asked by email to authorise the order";
const CHECKS = "We now carry out our identity checks.";
const NEXT_TEXTS: Record<OrderConfirmationData["contactIs"], string> = {
  asked: `${CHECKS} ${CONTACT_IS_ASKED}.`,
  "asked-later": `${CHECKS} ${CONTACT_IS_ASKED} as soon as your own email address is confirmed.`,
  "not-needed":
    "The order is within a standing authorisation of your company, so nobody is asked. The certificate is issued at once.",
  "not-asked": `${CHECKS} Your authentication contact wants no messages from us, so we cannot ask for the authorisation by email: please contact us, or cancel the order and name somebody else.`,
};

/** Confirms a certificate order to the customer (MAI-01, PUR-10). Amounts are in integer cents. */
export const orderConfirmationMail = (data: OrderConfirmationData): ComposedMail =>
  composeMail({
    subject: `Order ${data.orderNumber}: we have received your ${data.renewed ? "certificate renewal" : "certificate order"}`,
    greeting: data.name,
    paragraphs: ["Thank you for your purchase. These are the details of your order."],
    facts: [
      ["Sales order number", data.orderNumber],
      ["Purchase order number", data.purchaseOrderNumber],
      ["Ordered by", data.orderedBy ?? ""],
      ["Common name", data.commonName],
      ["Renewal of certificate", data.renewed ? renewedText(data.renewed) : ""],
      ["Validity period", years(data.validityYears)],
      ["Promotion code", data.promotionCode ?? ""],
      ["Promotional discount", data.discountCents > 0 ? formatEuro(data.discountCents) : ""],
      ["Net amount", formatEuro(data.netCents)],
      ["VAT amount", formatEuro(data.vatCents)],
      ["Total", formatEuro(data.totalCents)],
    ],
    steps: data.steps,
    next: NEXT_TEXTS[data.contactIs],
    action: { label: "Follow your order", url: data.url },
    after: [
      ...(data.renewed
        ? ["Your present certificate stays valid meanwhile. You can cancel this order until it is approved."]
        : []),
      "Once everything is verified you will receive an email with download and install instructions.",
    ],
  });

interface ContactStoppedData {
  name: string;
  /** The email address of the contact. */
  contact: string;
  /** The numbers of the orders that wait for the contact's answer, the oldest first. */
  orderNumbers: readonly string[];
  url: string;
}

/**
 * Informs the customer that the authentication contact wants no messages, so that orders wait for an answer that will not come by email.
 */
export const contactStoppedMail = ({ name, contact, orderNumbers, url }: ContactStoppedData): ComposedMail =>
  composeMail({
    subject: "Your authentication contact wants no messages from us",
    greeting: name,
    paragraphs: [
      "The person whom you named to authorise your order has asked us to send nothing more. This is no answer to the order: it waits.",
    ],
    facts: [
      ["Authentication contact", contact],
      [orderNumbers.length === 1 ? "Sales order number" : "Sales order numbers", orderNumbers.join(", ")],
    ],
    next: "Please talk to your contact. The link in our request can still be used, and we can take the answer by telephone. Otherwise name another contact, or cancel the order.",
    action: { label: "View your orders", url },
  });

interface OrderEndedData {
  name: string;
  orderNumber: string;
  commonName: string;
  /** "" when no reason was given. */
  reason: string;
  /** The promotion code of the order when it can be used again, else null. */
  promotionCode: string | null;
  /** How far the order is. */
  steps: readonly MailStep[];
  /** Null when nothing was paid. */
  refund: string | null;
  url: string;
}

/** Returns what the customer gets back. */
const givenBack = ({ promotionCode, refund }: OrderEndedData) => [
  ...(promotionCode === null ? [] : [`You can use the promotion code ${promotionCode} again.`]),
  ...(refund === null ? [] : ["What you have paid for this order will be paid back."]),
];

/** Informs the customer that the order was rejected, and why. */
export const orderRejectedMail = (data: OrderEndedData): ComposedMail =>
  composeMail({
    subject: `Order ${data.orderNumber} has been rejected`,
    greeting: data.name,
    paragraphs: ["Your certificate order did not pass our checks and has been rejected. No certificate was issued."],
    facts: [
      ["Sales order number", data.orderNumber],
      ["Common name", data.commonName],
      ["Reason", data.reason],
    ],
    steps: data.steps,
    next: "Once the reason is settled you are welcome to order again.",
    action: { label: "View the order", url: data.url },
    after: givenBack(data),
  });

/** Confirms to the customer that the order was cancelled. */
export const orderCancelledMail = (data: OrderEndedData): ComposedMail =>
  composeMail({
    subject: `Order ${data.orderNumber} has been cancelled`,
    greeting: data.name,
    paragraphs: ["Your certificate order has been cancelled. No certificate was issued."],
    facts: [
      ["Sales order number", data.orderNumber],
      ["Common name", data.commonName],
      ["Reason", data.reason],
    ],
    steps: data.steps,
    next: "There is nothing to do. You can order again at any time.",
    action: { label: "View the order", url: data.url },
    after: givenBack(data),
  });

export interface OrderStatusData {
  name: string;
  orderNumber: string;
  purchaseOrderNumber: string;
  /** The label of what was ordered. */
  orderType: string;
  /** The sentences about codes, money and reason. */
  note: readonly string[];
  /** How far the order is. */
  steps: readonly MailStep[];
  /** The page where the customer can see the order. */
  url: string;
}

const statusFacts = (data: OrderStatusData): [string, string][] => [
  ["Sales order number", data.orderNumber],
  ["Purchase order number", data.purchaseOrderNumber],
  ["Order type", data.orderType],
];

/** Informs the customer that a sales order was cancelled. */
export const salesOrderCancelledMail = (data: OrderStatusData): ComposedMail =>
  composeMail({
    subject: `Order ${data.orderNumber} has been cancelled`,
    greeting: data.name,
    paragraphs: ["Your order has been cancelled.", ...data.note],
    facts: statusFacts(data),
    steps: data.steps,
    next: "There is nothing to do. If you did not expect this, please contact us.",
    action: { label: "View the order", url: data.url },
  });

/** Informs the customer that the payment of a sales order was taken back. */
export const paymentWithdrawnMail = (data: OrderStatusData): ComposedMail =>
  composeMail({
    subject: `Order ${data.orderNumber} is not paid any more`,
    greeting: data.name,
    paragraphs: ["The payment of your order has been taken back.", ...data.note],
    facts: statusFacts(data),
    steps: data.steps,
    next: "Please pay the invoice again, or contact us if you did not expect this.",
    action: { label: "View the order", url: data.url },
  });
