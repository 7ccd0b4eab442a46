import { defineList, defineListQuery, type ParamsOf, rowId, stateIn, typedTexts } from "~/lib/list-params";
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

/** The fields of the search in the trail of one account. */
export const USER_TRAIL_FIELDS = ["event", "address", "text", "from", "to"] as const satisfies TrailField[];

/** The entries about an account, and those of what its person did. */
export const USER_TRAIL_PARTS = ["about", "by"] as const;

/** The trail of an account. The path of the page names the account. */
export const userTrailList = defineListQuery({
  sorts: ["recorded"],
  first: { key: "recorded", direction: "desc" },
  filters: { ...typedTexts(USER_TRAIL_FIELDS), part: stateIn(USER_TRAIL_PARTS) },
});

export type UserTrailListParams = ParamsOf<typeof userTrailList>;
