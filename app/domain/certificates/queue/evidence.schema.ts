import { z } from "zod";
import { optionalText, requiredNote } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { COMMENT_LIMIT, REFERENCE_LIMIT } from "./note-limit";
import { STAFF_CHECKS } from "./queue-fields";

/** What a program or a person found out for a check. */
export const evidenceSchema = z.object({
  text: requiredNote(COMMENT_LIMIT),
  reference: optionalText(REFERENCE_LIMIT),
});

/** The form of a person, which also says for which check it is. */
export const evidenceFormSchema = evidenceSchema.extend({
  check: z.enum(STAFF_CHECKS, { errorMap: () => ({ message: messages.required }) }),
});
