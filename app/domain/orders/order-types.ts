import { CODE_TYPE_LABELS, readCodeType } from "~/domain/codes/code-types";
import { ORDER_TYPES, type OrderType } from "~db/tables";

export const ORDER_TYPE_LABELS: Readonly<Record<OrderType, string>> = {
  ...CODE_TYPE_LABELS,
  Certificate: "Certificate",
  Maintenance: "Code Maintenance",
};

/** The caption of an order's type; "" of an order of codes that does not say of which. */
export const orderTypeLabel = (type: OrderType | ""): string => (type === "" ? "" : ORDER_TYPE_LABELS[type]);

/** The order type of a caption, also of one that CPO-01 has for a code's type besides, or of its short name; null for anything else. */
export function readOrderType(label: string): OrderType | null {
  const folded = label.trim().toLowerCase();
  const isMeant = (type: OrderType) => [type, ORDER_TYPE_LABELS[type]].some((name) => name.toLowerCase() === folded);
  return readCodeType(label) ?? ORDER_TYPES.find(isMeant) ?? null;
}
