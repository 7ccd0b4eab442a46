import { z } from "zod";

export const NOTHING_CHOSEN = "Select a certificate first.";

/** The list's form: the chosen row and the button that was pressed. */
export const rowChoiceSchema = z.object({
  id: z
    .string({ required_error: NOTHING_CHOSEN, invalid_type_error: NOTHING_CHOSEN })
    .regex(/^[1-9]\d{0,9}$/, NOTHING_CHOSEN)
    .transform(Number),
  intent: z.enum(["view", "download", "renew", "revoke"]),
});
