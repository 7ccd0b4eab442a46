import { z } from "zod";
import { requiredNote } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { CREDIT_REASON_LIMIT } from "./credit-fields";

/** The invoice to cancel and the reason, which the credit note states. */
export const creditSchema = z.object({
  invoice: z.coerce.number().int(messages.invalid),
  /** Of a monthly invoice: the part of this order, or all of it. */
  scope: z.enum(["order", "whole"], { errorMap: () => ({ message: messages.collection }) }).default("order"),
  reason: requiredNote(CREDIT_REASON_LIMIT),
});
