import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { type OrderType } from "~db/tables";

export const ORDER_TYPE_LABELS: Readonly<Record<OrderType, string>> = {
  ...CODE_TYPE_LABELS,
  Certificate: "Certificate",
  Maintenance: "Code Maintenance",
};

/** The caption of an order's type; "" of an order of codes that does not say of which. */
export const orderTypeLabel = (type: OrderType | ""): string => (type === "" ? "" : ORDER_TYPE_LABELS[type]);
