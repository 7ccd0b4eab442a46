import { defineList, type ParamsOf, stateIn } from "~/lib/list-params";
import { staffPaths } from "~/lib/staff-paths";

export const findingList = defineList({
  path: staffPaths.certificateAudit,
  sorts: ["found"],
  first: { key: "found", direction: "desc" },
  filters: {
    /** Shows settled findings instead of open ones. */
    state: stateIn(["Settled"]),
  },
});

export type FindingListParams = ParamsOf<typeof findingList>;
