import { z } from "zod";
import { dayError } from "~/lib/date-errors";
import { optionalNote, requiredNote } from "~/lib/fields";
import { readDay } from "~/lib/typed-dates";
import { PARTNERS_TEXT_LIMIT, QUESTION_LIMIT } from "./partners-fields";

/** A list of partners, one a line (`readPartnerLines`). */
export const addPartnersSchema = z.object({ partners: requiredNote(PARTNERS_TEXT_LIMIT) });

/** The day on which the company plans to use the certificate, `yyyy-MM-dd` or "". */
export const publishSchema = z.object({
  cutOverOn: z
    .string()
    .optional()
    .transform((text = "", context) => {
      const day = text.trim() === "" ? "" : readDay(text.trim());
      if (day === null) context.addIssue({ code: "custom", message: dayError(text) });
      return day ?? "";
    }),
});

/** What a partner asks. It is required for the answer 'question' only, which the server checks. */
export const partnerAnswerSchema = z.object({ question: optionalNote(QUESTION_LIMIT) });
