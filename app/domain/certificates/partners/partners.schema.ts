import { z } from "zod";
import { dayError } from "~/lib/date-errors";
import { optionalNote, optionalText, requiredNote, requiredText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { readDay } from "~/lib/typed-dates";
import { MOST_SWITCH_DAYS, PARTNERS_TEXT_LIMIT, QUESTION_LIMIT } from "./partners-fields";

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

/** The certificate whose partners are taken over. */
export const copyPartnersSchema = z.object({
  from: requiredText(10)
    .refine((text) => text === "" || /^\d+$/.test(text), messages.collection)
    .transform(Number),
});

const SWITCH_DAYS = `A whole number from 1 to ${MOST_SWITCH_DAYS}, or nothing.`;

const isSwitchDays = (text: string) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_SWITCH_DAYS;

/** How many days after its issue a renewal is to be used, null when renewals are not published by themselves. */
export const followSchema = z.object({
  switchDays: optionalText(10)
    .refine((text) => text === "" || isSwitchDays(text), SWITCH_DAYS)
    .transform((text) => (text === "" ? null : Number(text))),
});

/** What a partner asks. It is required for the answer 'question' only, which the server checks. */
export const partnerAnswerSchema = z.object({ question: optionalNote(QUESTION_LIMIT) });
