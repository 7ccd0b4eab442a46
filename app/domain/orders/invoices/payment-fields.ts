/** The id of the form that records the payment of an invoice of several orders. */
export const PAYMENT_FORM = "payment";
export const PAYMENT_LABELS = { paymentDate: "Payment date" } as const;
