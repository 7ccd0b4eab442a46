import { z } from "zod";
import { optionalText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { DESCRIPTION_LIMIT, isReason, UNSPECIFIED, type RevocationReasonId } from "./revocation-reasons";

const required = () => z.string({ required_error: messages.required, invalid_type_error: messages.invalid });

/** A day that exists, as `yyyy-MM-dd`. */
function isDay(text: string): boolean {
  const moment = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}

/** The revoke form. Date and time are in UTC, as the browser's own inputs send them. */
export const revocationSchema = z
  .object({
    revocationReason: required()
      .min(1, messages.required)
      .refine((value) => value === "" || (/^\d$/.test(value) && isReason(Number(value))), messages.collection)
      .transform((value) => Number(value) as RevocationReasonId),
    revocationDescription: optionalText(DESCRIPTION_LIMIT),
    revocationDate: required()
      .min(1, messages.required)
      .refine((day) => day === "" || isDay(day), messages.invalid),
    loadedAt: z.string().optional(),
    revocationTime: required()
      .min(1, messages.required)
      .refine((time) => time === "" || /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(time), messages.invalid),
  })
  .superRefine(({ revocationReason, revocationDescription }, context) => {
    if (revocationReason === UNSPECIFIED && revocationDescription === "")
      context.addIssue({ code: "custom", path: ["revocationDescription"], message: messages.required });
  });

export type RevocationForm = z.infer<typeof revocationSchema>;
