import {
  PROMOTION_CODE_STATES,
  promotionCodeList,
  type PromotionCodeListParams,
} from "~/domain/orders/promotion-codes/promotion-code-list";
import { FilterLinks } from "../lists/filter-links";

/** Links that show only the promotion codes in one state. */
export function PromotionCodeStateFilter({ params }: { params: PromotionCodeListParams }) {
  const choices = [...PROMOTION_CODE_STATES, null].map((state) => ({
    label: state?.toLowerCase() ?? "all",
    to: promotionCodeList.href(params, { state, page: 1 }),
    isCurrent: params.state === state,
  }));
  return <FilterLinks label="State of the promotion codes" caption="State:" choices={choices} />;
}
