import { type OrderStatus } from "~db/tables";

export const SALES_ORDER_FORM = "sales-order";

/** The statuses of an order (SAL-03), in the order in which it passes through them. */
export const ORDER_STATUSES = ["Open", "Invoiced", "Paid", "Cancelled"] as const satisfies readonly OrderStatus[];

/** The fields of the form with their labels, in the order of the page. */
export const SALES_ORDER_LABELS = {
  status: "Status",
  remarks: "Remarks",
  promotionCode: "Promotion code",
  invoiceNumber: "Invoice number",
  invoiceTotal: "Invoice total",
  invoiceDate: "Invoice date",
  paymentTotal: "Payment total",
  paymentDate: "Payment date",
} as const;

export const REMARKS_LIMIT = 500;
export const PROMOTION_CODE_LIMIT = 70;
export const INVOICE_NUMBER_LIMIT = 70;
/** The maximum length of an amount: a sign, 9 digits, the decimal point and two decimals. */
export const AMOUNT_LIMIT = 13;

export const AMOUNT_MOST = 999_999_999.99;

/** The first day that is accepted. An earlier one is a typing error. */
export const FIRST_DAY = "2000-01-01";
export const DAY_TOO_EARLY = "The date must be 01/01/2000 or later.";
export const DAY_TO_COME = "The date is in the future.";
export const NO_AMOUNT = "Enter an amount in euro such as 1250.50: digits, one decimal point and at most two decimals.";
export const AMOUNT_TOO_LARGE = `An amount is at most ${AMOUNT_MOST} euro.`;
export const CODES_REGISTERED = "Codes of this order are registered: it stays paid.";
export const NOTE_REQUIRED = "Give the reason why the order is no longer paid: it is sent to the customer.";
export const CREDIT_REASON_REQUIRED = "Give the reason for the cancellation: the credit note states it.";
export const CERTIFICATE_PENDING =
  "Its certificate is still pending: cancel or reject that order in the Certificate queue.";
export const ORDER_CANCELLED = "The sales order is cancelled: nothing more is recorded for it.";
