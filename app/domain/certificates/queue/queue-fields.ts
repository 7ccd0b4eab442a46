import { type CheckForm } from "./queue.schema";

/** The id of the form with the checks and the decision. */
export const QUEUE_FORM = "queue-order";

/** Returns the id of the card of a check, or of the decision's card when no check is left. */
export const checkAnchor = (check: CheckForm["intent"] | null) => (check === null ? "decision" : `check-${check}`);

/** The largest number of orders that one act approves. They share two transactions, for which others wait. */
export const BULK_LIMIT = 200;

/** What can be wrong with a selection of orders to approve, with the message of the queue page. */
export const SELECTION_PROBLEMS = {
  "none-selected": "Select the orders to approve.",
  "too-many": `Select at most ${BULK_LIMIT} orders at once.`,
} as const;

export type SelectionProblem = keyof typeof SELECTION_PROBLEMS;

/** Returns what is wrong with a selection of orders, or null. */
export function selectionProblem(ids: readonly number[]): SelectionProblem | null {
  if (ids.length === 0) return "none-selected";
  return new Set(ids).size > BULK_LIMIT ? "too-many" : null;
}
