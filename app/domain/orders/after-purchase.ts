import { paths } from "~/lib/paths";
import { PURCHASE_ORDER_TYPE } from "~db/tables";

const LISTS: Readonly<Record<number, string>> = {
  [PURCHASE_ORDER_TYPE.code]: paths.codes,
  [PURCHASE_ORDER_TYPE.certificate]: paths.certificates,
};

/** Where the page of a completed purchase links back to, by the kind of its order; home for any other (CPO-03). */
export const afterPurchase = (purchaseOrderType: number): string => LISTS[purchaseOrderType] ?? paths.dashboard;
