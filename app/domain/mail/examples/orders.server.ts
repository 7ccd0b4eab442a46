import { type InvoiceContent } from "~/domain/orders/invoices/invoice-content";
import { getConfig } from "~/lib/config.server";
import { paths } from "~/lib/paths";
import { type MailStep } from "../parts";
import { AT, COMMON_NAME, endedSteps, type Examples, linkTo, NAME, RENEWED, STEPS } from "./example.server";

const MONEY = { netCents: 57000, vatCents: 11400, totalCents: 68400 };
const ORDER = { name: NAME, orderNumber: "SO-1001", purchaseOrderNumber: "PO-4711" };
const CODES = { ...ORDER, orderNumber: "SO-1002", codeType: "OSCAR Code Full", numberOfCodes: 3 };
const ENDED = { ...ORDER, commonName: COMMON_NAME };

/** The steps of an order of ID codes that waits for its invoice. */
const CODE_STEPS: readonly MailStep[] = [
  { title: "Ordered", state: "done", time: "20/11/2026", text: `by ${NAME}` },
  { title: "Invoiced", state: "current", time: "", text: "The invoice follows by email." },
  { title: "Paid", state: "open", time: "", text: "After the payment you register the codes." },
];

/** The steps of an order of ID codes that was cancelled. */
const CANCELLED_STEPS: readonly MailStep[] = [
  ...CODE_STEPS.slice(0, 1),
  { title: "Cancelled", state: "ended", time: "", text: "" },
];

const CONFIRMATION = {
  ...ORDER,
  ...MONEY,
  orderedBy: null,
  commonName: COMMON_NAME,
  validityYears: 2,
  promotionCode: "SPRING2026",
  discountCents: 1000,
  contactIs: "asked" as const,
  steps: STEPS,
};

const invoice = (): InvoiceContent => ({
  kind: "invoice",
  number: "INV-2026-00017",
  issuedAt: AT.toISOString(),
  seller: { registration: [], payment: [], ...getConfig().seller },
  buyer: { company: "Example Parts Ltd", name: NAME, address: [], vatNumber: "GB123456789" },
  orderNumber: "SO-1001",
  purchaseOrderNumber: "PO-4711",
  orderDate: AT.toISOString(),
  lines: [],
  currency: "EUR",
  vatRate: 0.2,
  vatNote: "",
  sterling: null,
  credits: null,
  ...MONEY,
});

const creditNote = (): InvoiceContent => ({
  ...invoice(),
  kind: "credit-note",
  number: "CN-2026-00003",
  credits: { number: "INV-2026-00017", issuedAt: AT.toISOString(), reason: "Ordered twice" },
});

/** Returns the example data of the messages about orders and invoices. */
export const orderExamples = () => {
  const certificate = linkTo(paths.order(1001));
  const codes = linkTo(paths.codes);
  return {
    orderConfirmationMail: [
      { kind: "order-confirmation", title: "a certificate", data: { ...CONFIRMATION, url: certificate } },
      {
        kind: "order-confirmation",
        title: "an address that is not confirmed",
        reader: "unconfirmed",
        data: { ...CONFIRMATION, contactIs: "asked-later", url: certificate },
      },
      {
        kind: "order-confirmation",
        title: "an order within a standing authorisation",
        data: { ...CONFIRMATION, promotionCode: null, discountCents: 0, contactIs: "not-needed", url: certificate },
      },
      {
        kind: "order-confirmation",
        title: "a renewal",
        data: { ...CONFIRMATION, promotionCode: null, discountCents: 0, renewed: RENEWED, url: certificate },
      },
    ],
    codeOrderMail: [
      {
        kind: "order-confirmation",
        title: "ID codes",
        data: {
          ...CODES,
          orderedBy: null,
          perCodeCents: 90000,
          netCents: 270_000,
          vatCents: 54_000,
          totalCents: 324_000,
          steps: CODE_STEPS,
          url: codes,
        },
      },
    ],
    orderRejectedMail: [
      {
        kind: "order-rejected",
        title: "",
        data: {
          ...ENDED,
          reason: "The organisation could not be found in the company register.",
          steps: endedSteps("Rejected", "The organisation could not be found in the company register."),
          promotionCode: "SPRING2026",
          refund: "€684.00, paid on 20/11/2026, are to be paid back.",
          url: certificate,
        },
      },
    ],
    orderCancelledMail: [
      {
        kind: "order-cancelled",
        title: "",
        data: {
          ...ENDED,
          reason: "Ordered twice",
          steps: endedSteps("Cancelled", "Ordered twice"),
          promotionCode: null,
          refund: null,
          url: certificate,
        },
      },
    ],
    invoiceMail: [
      {
        kind: "invoice",
        title: "an invoice",
        data: { name: NAME, content: invoice(), url: linkTo(paths.invoice(17)) },
      },
      {
        kind: "invoice",
        title: "the invoice address",
        reader: "contact",
        data: { name: NAME, content: invoice(), url: linkTo(paths.invoice(17)) },
      },
      {
        kind: "invoice",
        title: "a credit note",
        data: { name: NAME, content: creditNote(), url: linkTo(paths.invoice(18)) },
      },
    ],
    orderCorrectedMail: [
      {
        kind: "order-corrected",
        title: "",
        data: {
          name: NAME,
          orderNumber: "SO-1001",
          number: "COR-2026-0001",
          changes: [{ label: "Purchase order number", from: "PO-4711", to: "PO-4712" }],
          effects: [
            "Invoice INV-2026-00017 of €684.00 is cancelled by a credit note, and a new invoice of €684.00 is issued.",
            "Both are sent by email, and are with the order.",
          ],
          next: "Please pay the invoice of the order, unless you have paid it.",
          url: certificate,
        },
      },
    ],
    codesAvailableMail: [{ kind: "codes-available", title: "", data: { ...CODES, url: codes } }],
    salesOrderCancelledMail: [
      {
        kind: "sales-order-cancelled",
        title: "",
        data: {
          ...CODES,
          orderType: CODES.codeType,
          note: [
            `${CODES.numberOfCodes} × ${CODES.codeType}: these codes cannot be registered any more.`,
            "The payment of €600.00 of 20/11/2026 will be paid back.",
            "Reason: Ordered twice",
          ],
          steps: CANCELLED_STEPS,
          url: codes,
        },
      },
    ],
    paymentWithdrawnMail: [
      {
        kind: "payment-withdrawn",
        title: "",
        data: {
          ...CODES,
          orderType: CODES.codeType,
          note: [
            `${CODES.numberOfCodes} × ${CODES.codeType}: these codes cannot be registered any more.`,
            "The payment of €600.00 of 20/11/2026 is not recorded any more: the order is not paid.",
            "Reason: The bank took the payment back",
          ],
          steps: CODE_STEPS,
          url: codes,
        },
      },
    ],
    codeMaintenanceMail: [
      {
        kind: "code-maintenance",
        title: "",
        data: {
          ...CODES,
          ...MONEY,
          orderNumber: "SO-1003",
          purchaseOrderNumber: "Code maintenance 2026",
          year: 2026,
          url: codes,
        },
      },
    ],
  } satisfies Partial<Examples>;
};
