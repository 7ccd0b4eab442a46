/** Why an e-mail address that an account has already is refused. */
export const EMAIL_TAKEN = "An account with this e-mail address already exists.";

/** The same at the registration, with the way on. */
export const DUPLICATE_EMAIL = `${EMAIL_TAKEN} Please log in, or use the Forgot Password option if you no longer know the password.`;
