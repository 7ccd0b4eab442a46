import { z } from "zod";
import { requiredNote } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { salesOrderSchema } from "../sales-order.schema";
import { CREDIT_REASON_LIMIT } from "./invoice-forms";

/** The invoice to cancel and the reason, which the credit note states. */
export const creditSchema = z.object({
  invoice: z.coerce.number().int(messages.invalid),
  /** Of a monthly invoice: the part of this order, or all of it. */
  scope: z.enum(["order", "whole"], { errorMap: () => ({ message: messages.collection }) }).default("order"),
  reason: requiredNote(CREDIT_REASON_LIMIT),
});

/** The invoice that was paid as a whole, and when. */
export const paymentSchema = z.object({
  invoice: z.coerce.number().int(messages.invalid),
  paymentDate: salesOrderSchema.shape.paymentDate,
});

/** The ids of the orders that a page showed, with a space between them. */
const seen = z
  .string()
  .regex(/^\d+( \d+)*$/, messages.invalid)
  .transform((ids) => ids.split(" ").map(Number));

/** The same as the page of the invoice sends it, with the orders that it showed as not paid. */
export const paymentFormSchema = paymentSchema.extend({ seen });

/** The orders that the page showed as those of one new invoice. */
export const togetherSchema = z.object({ seen });
