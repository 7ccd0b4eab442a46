import { defineList, oneOf, type ParamsOf, typedText, yesFlag } from "~/lib/list-params";
import { paths } from "~/lib/paths";
import { SELECTION_PROBLEMS, type SelectionProblem } from "./queue-fields";

/** The certificate queue. It has a single sort order, the oldest first. */
export const queueList = defineList({
  path: paths.certificateQueue,
  sorts: ["requestedAt"],
  first: { key: "requestedAt", direction: "asc" },
  filters: {
    search: typedText,
    /** Only orders whose checks are all done, so that only the approval is missing. */
    isReady: yesFlag("ready"),
    /** All rows of the page are selected. */
    isAllSelected: yesFlag("all"),
    /** Why the selection could not be approved. */
    problem: oneOf(Object.keys(SELECTION_PROBLEMS) as SelectionProblem[]),
  },
});

export type QueueListParams = ParamsOf<typeof queueList>;

/** The field with the query string of the list page that the orders were selected on. */
export const LIST_FIELD = "list";
