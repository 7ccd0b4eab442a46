import { z } from "zod";
import { orderNumber as numberText } from "~/domain/orders/order-number";
import { numberOf } from "~/domain/orders/typed-number";
import { messages } from "~/lib/messages";
import { queryId } from "./wire";

/** The parameters of a query that select one order, by its id or its number. */
export const orderShape = {
  orderId: queryId().optional(),
  orderNumber: z
    .string()
    .transform((text) => numberOf(text.trim().toLowerCase()))
    .refine((id) => id !== null, messages.invalid)
    .openapi({ type: "string", description: `Whole, \`${numberText(1005)}\`, or its digits` })
    .optional(),
};

/** The id of no order. */
const NO_ORDER = -1;

/** Returns the id of the order that a query selects, or null for all orders. Two different orders select none. */
export function orderIn({
  orderId,
  orderNumber,
}: {
  orderId?: number | undefined;
  orderNumber?: number | null | undefined;
}): number | null {
  const ids = [orderId, orderNumber].filter((id) => id !== undefined && id !== null);
  return new Set(ids).size > 1 ? NO_ORDER : (ids[0] ?? null);
}
