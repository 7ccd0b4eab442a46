import { z } from "zod";
import { readDay } from "~/lib/dates";
import { optionalText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { DESCRIPTION_LIMIT, isReason, UNSPECIFIED, type RevocationReasonId } from "./revocation-reasons";

const required = () => z.string({ required_error: messages.required, invalid_type_error: messages.invalid });

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
      .refine((day) => day === "" || readDay(day) !== null, messages.invalid)
      .transform((day) => readDay(day) ?? ""),
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
