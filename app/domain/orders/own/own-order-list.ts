import { defineList, type ParamsOf } from "~/lib/list-params";
import { paths } from "~/lib/paths";

export const ownOrderList = defineList({
  path: paths.orders,
  sorts: ["ordered"],
  first: { key: "ordered", direction: "desc" },
  filters: {},
});

export type OwnOrderListParams = ParamsOf<typeof ownOrderList>;
