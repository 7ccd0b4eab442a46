/** The error for an email address that another account has already. */
export const EMAIL_TAKEN = "An account with this email address already exists.";

/** The same error at registration, where it also says what to do. */
export const DUPLICATE_EMAIL = `${EMAIL_TAKEN} Please log in, or use the Forgot Password option if you no longer know the password.`;
