export const INVOICE_NUMBER_LIMIT = 70;
export const REMARKS_LIMIT = 500;

export const PAYMENT_LABELS = {
  invoiceNumber: "Invoice number",
  invoiceDate: "Invoice date",
  isPaid: "Paid",
  paymentDate: "Payment date",
  remarks: "Note",
} as const;

/** Days before it are slips of the keyboard, the specification's minimum date among them. */
export const FIRST_DAY = "2000-01-01";
export const DAY_TO_COME = "The day is still to come.";
export const PAID_OR_NO_DATE = "Tick Paid to record the payment, or leave the payment date empty.";
export const CODES_REGISTERED = "Codes of this order are registered: it stays paid.";
export const NOTE_NEEDED = "Say why an order that was paid is not paid any more.";
