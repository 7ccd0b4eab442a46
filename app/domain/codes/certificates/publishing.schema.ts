import { z } from "zod";
import { LARGEST_ID, readNumber } from "~/lib/list-params";

const NUMBERS = "Type the numbers of certificates, separated by commas.";

/** Returns the ids in a text, separated by commas or spaces, or null when it is not such a list. */
function readIds(text: string): number[] | null {
  const ids = text.split(/[\s,;]+/).filter(Boolean);
  const numbers = ids.map((id) => readNumber(id, LARGEST_ID));
  return numbers.every((id) => id !== null) ? numbers : null;
}

/** The form that publishes certificates at an entity: ticked ones, and the numbers of others. */
export const publishAtEntitySchema = z.object({
  certificateIds: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((ids = [], context) => {
      const read = readIds([ids].flat().join(","));
      if (!read) context.addIssue({ code: "custom", message: NUMBERS });
      return read ?? [];
    }),
  others: z
    .string()
    .optional()
    .transform((text = "", context) => {
      const read = text.length <= 200 ? readIds(text) : null;
      if (!read) context.addIssue({ code: "custom", message: NUMBERS });
      return read ?? [];
    }),
});
