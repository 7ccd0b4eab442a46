import { paths } from "~/lib/paths";
import { PURCHASE_ORDER_TYPE } from "~db/tables/orders";

const LISTS: Readonly<Record<number, string>> = {
  [PURCHASE_ORDER_TYPE.code]: paths.codes,
  [PURCHASE_ORDER_TYPE.certificate]: paths.certificates,
};

/**
 * Returns the page to which order-complete links back, by the type of the order: the codes, the certificates, or the dashboard for any
 * other type (CPO-03).
 */
export const afterPurchase = (purchaseOrderType: number): string => LISTS[purchaseOrderType] ?? paths.dashboard;
