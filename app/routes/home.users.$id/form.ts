export const FORM = "user";
/** The intent of the button that approves a request of another user administrator. */
export const APPROVE_REQUEST = "approve-request";
