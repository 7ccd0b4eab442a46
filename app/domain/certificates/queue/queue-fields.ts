import { type CheckForm } from "./queue.schema";

/** The id of the form with the checks and the decision. */
export const QUEUE_FORM = "queue-order";

/** Returns the id of a check's card, or of the decision's when no check is left. */
export const checkPlace = (check: CheckForm["intent"] | null) => (check === null ? "decision" : `check-${check}`);
