import { z } from "zod";
import { messages } from "./messages";

/** Nothing that can be seen: empty, only spaces, or only such characters as zero-width spaces and direction marks. */
export const isBlank = (value: string): boolean => /^[\s\p{Cf}\p{Cc}]*$/u.test(value);

/** Scripts and styles with what is in them, tags and comments. */
const MARKUP = /<(script|style)\b[^>]*>[^<]*<\/\1\s*>|<[a-z/!][^>]*>/gi;

/** Ends a text of markup alone that only the server's parser knows as such. No text that is sent can have it: it is a control character. */
export const MARKUP_SIGN = "\u0001";

/** Tags inside of tags beyond this depth are nobody's typing. */
const MAX_PASSES = 8;

/**
 * Whether a text has markup and nothing else. The server takes markup out of texts (GEN-03); such a one it leaves as it was typed, to be
 * refused: it was not left out, so it is not said to be missing.
 */
export function isOnlyMarkup(value: string): boolean {
  if (value.endsWith(MARKUP_SIGN)) return true;
  if (!value.includes("<")) return false;
  let rest = value;
  for (let pass = 0; pass < MAX_PASSES && rest.search(MARKUP) >= 0; pass += 1) rest = rest.replace(MARKUP, "");
  return isBlank(rest);
}

const trimmed = (value: string): string => (isBlank(value) ? "" : value.trim());

const isNoMarkup = (value: string): boolean => !isOnlyMarkup(value);

const given = () =>
  z.string({ required_error: messages.required, invalid_type_error: messages.invalid }).transform(trimmed);

const filled = (max: number, tooLong: string = messages.outOfRange) =>
  z.string().min(1, messages.required).max(max, tooLong);

/** A text that must be there, and of which a rule of its own says more than that markup is not allowed. */
export const requiredWord = (max: number) => given().pipe(filled(max));

/** A text that must be there: empty or only spaces → 'This field is required.', longer than `max` → 'Entered value is not valid.' */
export const requiredText = (max: number, tooLong?: string) =>
  given().refine(isNoMarkup, messages.markup).pipe(filled(max, tooLong));

/** A text that may be left out; absent and only spaces become "". */
export const optionalText = (max: number, tooLong: string = messages.outOfRange) =>
  z
    .string({ invalid_type_error: messages.invalid })
    .optional()
    .transform((value = "") => trimmed(value))
    .refine(isNoMarkup, messages.markup)
    .pipe(z.string().max(max, tooLong));

// REG-01: a local part with a domain or an IP-literal domain.
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@(\[\d{1,3}(\.\d{1,3}){3}\]|[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)+)$/i;

export const isEmail = (value: string): boolean => EMAIL.test(value) && !/^\.|\.\.|\.@/.test(value);

export const email = (max = 200, message: string = messages.email) =>
  requiredWord(max).refine((value) => value === "" || value.length > max || isEmail(value), message);

/** International format as the specification writes it: a digit, and only digits, spaces, + ( ) { }. */
export const isTelephone = (value: string): boolean => /\d/.test(value) && /^[\d +(){}]+$/.test(value);

export const telephone = (max: number) =>
  requiredText(max).refine((value) => value === "" || value.length > max || isTelephone(value), messages.telephone);

/** A checkbox: ticked when its value arrives, whatever the value. */
export const checkbox = () =>
  z
    .union([z.string(), z.array(z.string()), z.boolean()])
    .optional()
    .transform((value) => value !== undefined && value !== false);

/** A country's numeric id as the select sends it. What is wrong with it does not keep a form's other rules from being checked. */
export const countryId = () =>
  z.string({ required_error: messages.required, invalid_type_error: messages.invalid }).transform((value, context) => {
    if (isBlank(value)) context.addIssue({ code: "custom", message: messages.required });
    else if (!/^\d{1,3}$/.test(value)) context.addIssue({ code: "custom", message: messages.collection });
    return Number(value);
  });
