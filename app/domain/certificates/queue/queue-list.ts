import { defineList, type ParamsOf, typedText, yesFlag } from "~/lib/list-params";
import { paths } from "~/lib/paths";

/** The certificate queue. It has a single sort order, the oldest first. */
export const queueList = defineList({
  path: paths.certificateQueue,
  sorts: ["requestedAt"],
  first: { key: "requestedAt", direction: "asc" },
  filters: {
    search: typedText,
    /** Only orders whose checks are all done, so that only the approval is missing. */
    isReady: yesFlag("ready"),
  },
});

export type QueueListParams = ParamsOf<typeof queueList>;
