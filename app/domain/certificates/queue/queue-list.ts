import { defineList, oneOf, type ParamsOf, typedText, yesFlag } from "~/lib/list-params";
import { paths, withQuery } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
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

/** The parameter of the page of a bulk approval that selects all orders of a view that are ready, as many as one act can approve. */
export const ALL_READY = "all-ready";

/** Returns the address of the page that asks about approving all ready orders of a view. */
export const approveReady = (view: QueueListParams): string =>
  withQuery(staffPaths.approveOrders, {
    [ALL_READY]: "yes",
    [LIST_FIELD]: queueList.query({ ...view, isAllSelected: false, problem: null }).toString(),
  });
