import { type QueueStage } from "~db/tables/certificates";

/** The id of the form with the checks and the decision. */
export const QUEUE_FORM = "queue-order";

/** The checks that staff record, in the order of the page. Each is a field of the form. */
export const STAFF_CHECKS = ["contact", "organisation", "csr"] as const;

export type StaffCheck = (typeof STAFF_CHECKS)[number];

/** The choice of a check whose note is typed. */
export const OTHER_NOTE = "other";

/** The intents of the buttons with which a member of staff begins and ends to work on the order. */
export const TAKE = "take";
export const RELEASE = "release";

/** The id of the card that says who works on the order. */
export const WORK_ANCHOR = "work";

/** The id of the form that adds a comment, and the intent of its button. */
export const COMMENT_FORM = "comment";

/** The id of the card with the comments. */
export const COMMENTS_ANCHOR = "comments";

/** The intent of the form with the invoice and the payment. */
export const PAYMENT = "payment";

/** The id of the card with the checks and the decision. It shows the message about what was recorded. */
export const DECISION_ANCHOR = "decision";

/** The id of the place above an order for the message about the order before it. */
export const MESSAGE_ANCHOR = "message";

/** The stages of pending orders in words, in the order in which the queue shows them. */
export const STAGE_TITLES: Readonly<Record<QueueStage, string>> = {
  ready: "Ready",
  new: "New",
  begun: "Partly checked",
  contact: "Waits for the contact",
  customer: "Waits for the customer",
  refused: "Refused by the contact",
  issuing: "Being issued",
};

/** After how many days an order waits for too long. */
export const TARGET_DAYS = 5;

/** The largest number of orders that one act approves, reminds or exports. */
export const BULK_LIMIT = 200;

/** What can be wrong with a selection of orders, with the message of the queue page. */
export const SELECTION_PROBLEMS = {
  "none-selected": "Select orders first.",
  "none-ready": "No order of this view is ready to approve.",
  "too-many": `Select at most ${BULK_LIMIT} orders at once.`,
} as const;

export type SelectionProblem = keyof typeof SELECTION_PROBLEMS;

/** Returns what is wrong with a selection of orders, or null. */
export function selectionProblem(ids: readonly number[]): SelectionProblem | null {
  if (ids.length === 0) return "none-selected";
  return new Set(ids).size > BULK_LIMIT ? "too-many" : null;
}
