/** The id of the form that creates a credit note, on the page of an invoice. */
export const CREDIT_FORM = "credit-note";
export const CREDIT_LABELS = { scope: "What is cancelled", reason: "Reason" } as const;
export const CREDIT_REASON_LIMIT = 500;

/** The id of the form that records the payment of an invoice of several orders, on the same page. */
export const PAYMENT_FORM = "payment";
export const PAYMENT_LABELS = { paymentDate: "Payment date" } as const;
