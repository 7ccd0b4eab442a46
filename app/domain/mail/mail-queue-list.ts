import { defineList, type ParamsOf, stateIn, typedText } from "~/lib/list-params";
import { staffPaths } from "~/lib/staff-paths";

/** The columns by which the table can be sorted. */
const MAIL_QUEUE_SORTS = ["recipient", "since", "tries"] as const;
export type MailQueueSort = (typeof MAIL_QUEUE_SORTS)[number];

export const MAIL_QUEUE_STATES = ["Waiting", "Held", "Failing", "Rejected"] as const;
export type MailQueueState = (typeof MAIL_QUEUE_STATES)[number];

export const mailQueueList = defineList({
  path: staffPaths.mail,
  sorts: MAIL_QUEUE_SORTS,
  first: { key: "since", direction: "desc" },
  filters: {
    search: typedText,
    /** Shows only messages in this state. */
    state: stateIn(MAIL_QUEUE_STATES),
  },
});

export type MailQueueListParams = ParamsOf<typeof mailQueueList>;
