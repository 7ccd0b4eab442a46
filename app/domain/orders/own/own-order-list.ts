import { defineList, type ParamsOf, yesFlag } from "~/lib/list-params";
import { paths } from "~/lib/paths";

export const ownOrderList = defineList({
  path: paths.orders,
  sorts: ["ordered"],
  first: { key: "ordered", direction: "desc" },
  filters: {
    /** Only orders that are invoiced and not paid. */
    unpaid: yesFlag("unpaid"),
  },
});

export type OwnOrderListParams = ParamsOf<typeof ownOrderList>;
