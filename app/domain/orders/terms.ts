/** PUR-08, word for word; orders of codes have the same message. */
export const TERMS_NOT_ACCEPTED = "You must agree to the terms and conditions to purchase a certificate.";
