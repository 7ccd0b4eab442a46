import { z } from "zod";
import { optionalNote } from "~/lib/fields";
import { MOST_TAGS, NOTES_LIMIT, TAG_LIMIT } from "./notes-fields";

const lengthOf = (text: string): number => [...text].length;

/**
 * Returns the tags of a text, in which commas, semicolons and line breaks separate them. Blanks count once. Of tags that differ only in
 * capitals the first stays.
 */
export function readTags(text: string): string[] {
  const tags = text
    .normalize("NFC")
    .split(/[,;\r\n]/)
    .map((tag) =>
      tag
        .replace(/[\p{Cc}\p{Cf}]/gu, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter(Boolean);
  const folded = tags.map((tag) => tag.toLowerCase());
  return tags.filter((_, index) => folded.indexOf(folded[index] ?? "") === index);
}

const tags = () =>
  z
    .string()
    .optional()
    .transform((text = "") => readTags(text))
    .superRefine((values, context) => {
      const long = values.find((tag) => lengthOf(tag) > TAG_LIMIT);
      const message =
        long === undefined
          ? values.length > MOST_TAGS && `At most ${MOST_TAGS} tags are allowed. There are ${values.length}.`
          : `A tag has at most ${TAG_LIMIT} characters. '${long.slice(0, 60)}' has ${lengthOf(long)}.`;
      if (message) context.addIssue({ code: z.ZodIssueCode.custom, message });
    });

/** What a company notes about a certificate. `seen` is the version that the form or the caller has read, 0 for none. */
export const certificateNotesSchema = z.object({
  notes: optionalNote(NOTES_LIMIT),
  tags: tags(),
  seen: z.coerce.number().int().min(0).catch(0),
});

export type CertificateNotesForm = z.output<typeof certificateNotesSchema>;
