import { z } from "zod";
import { dayError } from "~/lib/date-errors";
import { optionalText, requiredText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { readEuro } from "~/lib/money";
import { readDay } from "~/lib/typed-dates";
import { isPromotionLength, promotionMessages } from "../promotion.policy";
import { BATCH_LIMIT, CODE_CHARACTERS, DAY_PASSED, MONTHS_LIMIT, PREFIX_LIMIT, VALUE_LIMIT } from "./limits";

const isWithin = (value: number | null, least: number, most: number) =>
  value !== null && value >= least && value <= most;

/** Reads a number of digits only, without sign, exponent or fraction. */
const readCount = (text: string) => (/^\d{1,6}$/.test(text) ? Number(text) : null);

const count = (most: number) =>
  requiredText(20)
    .refine((text) => text === "" || isWithin(readCount(text), 1, most), messages.outOfRange)
    .transform(Number);

const euro = () =>
  requiredText(20)
    .refine((text) => text === "" || isWithin(readEuro(text), 1, VALUE_LIMIT), messages.outOfRange)
    .transform((text) => readEuro(text) ?? 0);

/** The last day on which a code is valid, as `yyyy-MM-dd`; null means for ever. The day is in UTC. */
const lastDay = () =>
  optionalText(20).transform((text, context) => {
    if (text === "") return null;
    const day = readDay(text);
    if (day === null) context.addIssue({ code: "custom", message: dayError(text) });
    else if (day < new Date().toISOString().slice(0, 10)) context.addIssue({ code: "custom", message: DAY_PASSED });
    return day;
  });

const LETTERS_AND_DIGITS = /^[A-Z\d]*$/;
const capitals = (text: string) => text.toUpperCase();

const terms = z.object({
  value: euro(),
  months: count(MONTHS_LIMIT),
  validUntil: lastDay(),
  /** The id of the form (`newBatchId`). */
  batch: z.string().regex(/^[\w-]{22}$/, messages.invalid),
});

/** One promotion code: the administrator's own, or a generated one when the field is empty. */
export const promotionCodeSchema = terms.extend({
  code: optionalText(70)
    .transform(capitals)
    .refine((code) => code === "" || isPromotionLength(code), promotionMessages.length)
    .refine((code) => !isPromotionLength(code) || LETTERS_AND_DIGITS.test(code), CODE_CHARACTERS),
});

/** Several generated codes with the same terms. */
export const promotionCodesSchema = terms.extend({
  count: count(BATCH_LIMIT),
  prefix: optionalText(PREFIX_LIMIT)
    .transform(capitals)
    .refine((prefix) => prefix.length > PREFIX_LIMIT || LETTERS_AND_DIGITS.test(prefix), CODE_CHARACTERS),
});

export type PromotionTerms = z.infer<typeof terms>;
export type PromotionCodeForm = z.infer<typeof promotionCodeSchema>;
export type PromotionCodesForm = z.infer<typeof promotionCodesSchema>;

const NOTHING_CHOSEN = "Select a promotion code first.";

/** The form of the table. */
export const promotionCodeChoiceSchema = z.object({
  code: z
    .string({ required_error: NOTHING_CHOSEN, invalid_type_error: NOTHING_CHOSEN })
    .min(1, NOTHING_CHOSEN)
    .max(10, messages.outOfRange),
  intent: z.literal("withdraw"),
});
