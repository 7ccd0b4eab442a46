import { CODE_TYPE_LABELS, readCodeType } from "~/domain/codes/code-types";
import { type OrderType } from "~db/tables";
import { ORDER_TYPES } from "~db/tables/orders";

export const ORDER_TYPE_LABELS: Readonly<Record<OrderType, string>> = {
  ...CODE_TYPE_LABELS,
  Certificate: "Certificate",
  Maintenance: "Code Maintenance",
};

/** Returns the label of an order type; "" for an order of codes without a code type. */
export const orderTypeLabel = (type: OrderType | ""): string => (type === "" ? "" : ORDER_TYPE_LABELS[type]);

/**
 * Returns the order type for a label, for another name of a code type (CPO-01) or for the short name of the type. Returns null for anything
 * else.
 */
export function readOrderType(label: string): OrderType | null {
  const folded = label.trim().toLowerCase();
  const isMeant = (type: OrderType) => [type, ORDER_TYPE_LABELS[type]].some((name) => name.toLowerCase() === folded);
  return readCodeType(label) ?? ORDER_TYPES.find(isMeant) ?? null;
}
