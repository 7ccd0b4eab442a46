/** The largest form that is read, in bytes: a 2 MB paste still gets its own message. */
export const FORM_LIMIT = 8 * 1024 * 1024;
