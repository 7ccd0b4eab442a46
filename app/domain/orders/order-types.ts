import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { type CodeType, PURCHASE_ORDER_TYPE } from "~db/tables";

/** What an order is for: the types of B §3, certificates, and the yearly maintenance of codes. */
export const ORDER_TYPES = ["OFTP", "Full", "Basic", "Certificate", "Maintenance"] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

export const ORDER_TYPE_LABELS: Readonly<Record<OrderType, string>> = {
  ...CODE_TYPE_LABELS,
  Certificate: "Certificate",
  Maintenance: "Code Maintenance",
};

interface Typed {
  purchaseOrderType: 0 | 1;
  isMaintenance: number | boolean;
  codeType: CodeType | null;
}

/** Null for an order of codes that does not say of which. */
export function orderTypeOf({ purchaseOrderType, isMaintenance, codeType }: Typed): OrderType | null {
  if (purchaseOrderType === PURCHASE_ORDER_TYPE.certificate) return "Certificate";
  return isMaintenance ? "Maintenance" : codeType;
}

export function orderTypeLabel(order: Typed): string {
  const type = orderTypeOf(order);
  return type === null ? "" : ORDER_TYPE_LABELS[type];
}
