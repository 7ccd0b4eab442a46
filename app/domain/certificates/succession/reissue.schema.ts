import { z } from "zod";
import { requiredNote } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { NOTE_LIMIT } from "../queue/note-limit";

/** The form of a replacement. The text is optional because a file can be sent instead. */
export const reissueSchema = z.object({
  csr: z.string({ invalid_type_error: messages.invalid }).default(""),
  reason: requiredNote(NOTE_LIMIT),
});

export type ReissueForm = z.infer<typeof reissueSchema>;
