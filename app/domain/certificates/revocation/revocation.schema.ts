import { z } from "zod";
import { dayError, TIME_ERROR } from "~/lib/date-errors";
import { optionalText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { readDay, readTime } from "~/lib/typed-dates";
import { DESCRIPTION_LIMIT, isReason, UNSPECIFIED, type RevocationReasonId } from "./reasons";

const required = () => z.string({ required_error: messages.required, invalid_type_error: messages.invalid });

/** A required text. `read` parses it and returns null when it is invalid; `errorOf` then gives the message. */
const readable = (read: (text: string) => string | null, errorOf: (text: string) => string) =>
  required()
    .min(1, messages.required)
    .transform((text, context) => {
      const value = text === "" ? "" : read(text);
      if (value === null) context.addIssue({ code: "custom", message: errorOf(text) });
      return value ?? "";
    });

/** The revoke form. Date and time are in UTC. */
export const revocationSchema = z
  .object({
    revocationReason: required()
      .min(1, messages.required)
      .refine((value) => value === "" || (/^\d$/.test(value) && isReason(Number(value))), messages.collection)
      .transform((value) => Number(value) as RevocationReasonId),
    revocationDescription: optionalText(DESCRIPTION_LIMIT),
    revocationDate: readable(readDay, dayError),
    loadedAt: z.string().optional(),
    revocationTime: readable(readTime, () => TIME_ERROR),
  })
  .superRefine(({ revocationReason, revocationDescription }, context) => {
    if (revocationReason === UNSPECIFIED && revocationDescription === "")
      context.addIssue({ code: "custom", path: ["revocationDescription"], message: messages.required });
  });

export type RevocationForm = z.infer<typeof revocationSchema>;
