import { CODE_STATES, codeList, type CodeListParams } from "~/domain/orders/promotion-codes/promotion-code-list";
import { FilterLinks } from "../lists/filter-links";

/** Links that show only the promotion codes in one state. */
export function CodeFilter({ params }: { params: CodeListParams }) {
  const choices = [...CODE_STATES, null].map((state) => ({
    label: state?.toLowerCase() ?? "all",
    to: codeList(params, { state, page: 1 }),
    isCurrent: params.state === state,
  }));
  return <FilterLinks label="State of the promotion codes" caption="State:" choices={choices} />;
}
