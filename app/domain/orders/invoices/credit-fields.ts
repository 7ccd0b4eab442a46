/** The form of the page of an invoice that makes a credit note. */
export const CREDIT_FORM = "credit-note";
export const CREDIT_LABELS = { reason: "Reason" } as const;
export const CREDIT_REASON_LIMIT = 500;
