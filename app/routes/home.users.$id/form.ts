export const FORM = "user";
/** The intent of the button that approves a request of another user administrator. */
export const APPROVE_REQUEST = "approve-request";
/** The field that says that the person asked for the erasure when the page was made. */
export const WISH = "wish";
