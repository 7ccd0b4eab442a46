import { z } from "zod";
import { NO_FOUND_CODE_CHOSEN } from "./search-texts";

const LAST_ID = 2_147_483_647;

/** The form of the results: the selected row. */
export const foundCodeSchema = z.object({
  id: z
    .string({ required_error: NO_FOUND_CODE_CHOSEN, invalid_type_error: NO_FOUND_CODE_CHOSEN })
    .regex(/^[1-9]\d{0,9}$/, NO_FOUND_CODE_CHOSEN)
    .transform(Number)
    .refine((id) => id <= LAST_ID, NO_FOUND_CODE_CHOSEN),
});
