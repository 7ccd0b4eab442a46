import { type CheckForm } from "./queue.schema";

/** The id of the form with the checks and the decision. */
export const QUEUE_FORM = "queue-order";

/** Returns the id of the card of a check, or of the decision's card when no check is left. */
export const checkAnchor = (check: CheckForm["intent"] | null) => (check === null ? "decision" : `check-${check}`);

/** The largest number of orders that one act approves. They share two transactions, for which others wait. */
export const BULK_LIMIT = 200;
