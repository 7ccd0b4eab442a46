export const FORM = "user";
/** The intent of the button that approves a request of another user administrator. */
export const APPROVE_REQUEST = "approve-request";
const REFUSE_REQUEST = "refuse-request";
/** Returns whether a button decides a request. */
export const decidesRequest = (intent: unknown): boolean => intent === APPROVE_REQUEST || intent === REFUSE_REQUEST;
/** The field that says that the person asked for the erasure when the page was made. */
export const WISH = "wish";
