import { defineList, oneOf, type ParamsOf, typedText, yesFlag } from "~/lib/list-params";
import { paths, withQuery } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { QUEUE_STAGES } from "~db/tables/certificates";
import { SELECTION_PROBLEMS, type SelectionProblem } from "./queue-fields";

/** The certificate queue. */
export const queueList = defineList({
  path: paths.certificateQueue,
  sorts: ["requestedAt", "orderNumber", "commonName", "company"],
  first: { key: "requestedAt", direction: "asc" },
  filters: {
    search: typedText,
    /** Only orders at this stage. */
    stage: oneOf(QUEUE_STAGES),
    /** Only orders on which the user works, or those on which nobody does. */
    work: oneOf(["mine", "nobody"]),
    /** All rows of the page are selected. */
    isAllSelected: yesFlag("all"),
    /** Why the selection could not be approved. */
    problem: oneOf(Object.keys(SELECTION_PROBLEMS) as SelectionProblem[]),
  },
});

export type QueueListParams = ParamsOf<typeof queueList>;

export type QueueSort = QueueListParams["sort"]["key"];

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
