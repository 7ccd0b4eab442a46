import { z } from "zod";
import { LARGEST_ID, readNumber } from "~/lib/list-params";

export const NOTHING_CHOSEN = "Select a certificate first.";

/** The form of the list page: the selected row and the button that was pressed. */
export const rowChoiceSchema = z.object({
  id: z
    .string({ required_error: NOTHING_CHOSEN, invalid_type_error: NOTHING_CHOSEN })
    .refine((text) => readNumber(text, LARGEST_ID) !== null, NOTHING_CHOSEN)
    .transform(Number),
  intent: z.enum(["view", "download", "renew", "revoke"]),
});
