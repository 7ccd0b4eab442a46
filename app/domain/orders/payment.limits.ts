export const INVOICE_NUMBER_LIMIT = 70;
export const REMARKS_LIMIT = 500;

export const PAYMENT_LABELS = {
  invoiceNumber: "Invoice number",
  invoiceDate: "Invoice date",
  isPaid: "Paid",
  paymentDate: "Payment date",
  remarks: "Note",
} as const;

export const DAY_TO_COME = "The day is still to come.";
export const NOTE_NEEDED = "Say why an order that was paid is not paid any more.";
