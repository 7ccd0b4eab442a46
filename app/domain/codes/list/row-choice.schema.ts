import { z } from "zod";
import { LARGEST_ID, readNumber } from "~/lib/list-params";

export const NO_CODE_CHOSEN = "Select a code first.";

/** The form of the table: the selected row and the button that was pressed. */
export const codeChoiceSchema = z.object({
  id: z
    .string({ required_error: NO_CODE_CHOSEN, invalid_type_error: NO_CODE_CHOSEN })
    .refine((text) => readNumber(text, LARGEST_ID) !== null, NO_CODE_CHOSEN)
    .transform(Number),
  intent: z.enum(["view", "sub-entity"]),
});
