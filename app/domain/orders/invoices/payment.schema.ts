import { z } from "zod";
import { messages } from "~/lib/messages";
import { salesOrderSchema } from "../sales-order.schema";

/** The invoice that was paid as a whole, and when. */
export const paymentSchema = z.object({
  invoice: z.coerce.number().int(messages.invalid),
  paymentDate: salesOrderSchema.shape.paymentDate,
});
