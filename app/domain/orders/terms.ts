/** The message of PUR-08, word for word. Orders of codes use it, too. */
export const TERMS_NOT_ACCEPTED = "You must agree to the terms and conditions to purchase a certificate.";
