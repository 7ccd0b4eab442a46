import { defineList, matching, type ParamsOf, stateIn, typedText } from "~/lib/list-params";
import { staffPaths } from "~/lib/staff-paths";

/** The columns by which the table can be sorted. */
const PROMOTION_CODE_SORTS = ["code", "value", "months", "validUntil", "createdAt"] as const;
export type PromotionCodeSort = (typeof PROMOTION_CODE_SORTS)[number];

export const PROMOTION_CODE_STATES = ["Unused", "Used", "Expired", "Withdrawn"] as const;
export type PromotionCodeState = (typeof PROMOTION_CODE_STATES)[number];

export const promotionCodeList = defineList({
  path: staffPaths.promotionCodes,
  sorts: PROMOTION_CODE_SORTS,
  first: { key: "createdAt", direction: "desc" },
  filters: {
    search: typedText,
    /** Shows only codes in this state. */
    state: stateIn(PROMOTION_CODE_STATES),
    /** Shows only codes of this batch, which were created together. */
    batch: matching(/^[\w-]{22}$/),
  },
});

export type PromotionCodeListParams = ParamsOf<typeof promotionCodeList>;
