import { z } from "zod";
import { requiredText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { CREDIT_REASON_LIMIT } from "./credit-fields";

/** Which invoice is cancelled, and why; the credit note says it to the customer. */
export const creditSchema = z.object({
  invoice: z.coerce.number().int(messages.invalid),
  reason: requiredText(CREDIT_REASON_LIMIT),
});
