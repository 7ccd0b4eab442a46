import { defineList, type ParamsOf, rowId, typedTexts } from "~/lib/list-params";
import { staffPaths } from "~/lib/staff-paths";

/** The fields of the search form. Their values are kept as typed. */
export const TRAIL_FIELDS = ["person", "event", "reference", "address", "text", "from", "to"] as const;
export type TrailField = (typeof TRAIL_FIELDS)[number];

export const trailList = defineList({
  path: staffPaths.auditTrail,
  sorts: ["recorded"],
  first: { key: "recorded", direction: "desc" },
  filters: {
    ...typedTexts(TRAIL_FIELDS),
    /** Only entries about this company and what it owns. */
    companyId: rowId,
  },
});

export type TrailListParams = ParamsOf<typeof trailList>;
