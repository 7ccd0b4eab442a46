import { z } from "zod";
import { optionalText, requiredNote } from "~/lib/fields";
import { COMMENT_LIMIT } from "./note-limit";

/** The maximum length of the reference of evidence, in characters. */
const REFERENCE_LIMIT = 500;

/** What a program or a person found out for a check. */
export const evidenceSchema = z.object({
  text: requiredNote(COMMENT_LIMIT),
  reference: optionalText(REFERENCE_LIMIT),
});
