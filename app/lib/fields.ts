import { z } from "zod";
import { beginsTag } from "./markup";
import { messages } from "./messages";

/**
 * Returns whether the text has nothing visible: it is empty, or has only spaces and characters such as zero-width spaces and direction
 * marks.
 */
export const isBlank = (value: string): boolean => /^[\s\p{Cf}\p{Cc}]*$/u.test(value);

/** Matches scripts and styles with their contents, and what can be a tag or a comment. */
const MARKUP = /<(script|style)\b[^>]*>[^<]*<\/\1\s*>|<([a-z/!][^>]*>)/gi;

const withoutTags = (text: string): string =>
  text.replace(MARKUP, (markup: string, withContents: string | undefined, following: string) =>
    withContents !== undefined || beginsTag(following) ? "" : markup,
  );

/**
 * Ends a text of nothing but markup that only the server's parser recognises as markup. No text that is sent can contain it, because it is
 * a control character.
 */
export const MARKUP_SIGN = "\u0001";

/** Nobody types tags that are nested more deeply than this. */
const MAX_PASSES = 8;

/**
 * Returns whether a text consists of nothing but markup. The server removes markup from texts (GEN-03). A text of nothing but markup is
 * left unchanged, so that it is refused for its markup and not as missing.
 */
export function isOnlyMarkup(value: string): boolean {
  if (value.endsWith(MARKUP_SIGN)) return true;
  if (!value.includes("<")) return false;
  let rest = value;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) rest = withoutTags(rest);
  return isBlank(rest);
}

const trimmed = (value: string): string => (isBlank(value) ? "" : value.trim());

const isNoMarkup = (value: string): boolean => !isOnlyMarkup(value);

const given = () =>
  z.string({ required_error: messages.required, invalid_type_error: messages.invalid }).transform(trimmed);

const filled = (max: number, tooLong: string = messages.outOfRange) =>
  z.string().min(1, messages.required).max(max, tooLong);

/** A text of at most `max` characters. When it is longer, the message says how long it is and may be. */
const note = (max: number) =>
  z
    .string({
      errorMap: ({ code }, { data, defaultError }) => ({
        message: code === "too_big" ? `At most ${max} characters; this one has ${String(data).length}.` : defaultError,
      }),
    })
    .max(max);

/** A required text with a rule of its own that says more than 'Markup is not allowed.' */
export const requiredWord = (max: number) => given().pipe(filled(max));

/**
 * A required text. When it is empty or only spaces, the message is 'This field is required.'; when it is longer than `max`, it is 'Entered
 * value is not valid.' by default.
 */
export const requiredText = (max: number, tooLong?: string) =>
  given().refine(isNoMarkup, messages.markup).pipe(filled(max, tooLong));

const optional = () =>
  z
    .string({ invalid_type_error: messages.invalid })
    .optional()
    .transform((value = "") => trimmed(value))
    .refine(isNoMarkup, messages.markup);

/** An optional text. A missing text or only spaces become "". */
export const optionalText = (max: number, tooLong: string = messages.outOfRange) =>
  optional().pipe(z.string().max(max, tooLong));

/** A required note or reason of several lines. The message about its length names both lengths. */
export const requiredNote = (max: number) =>
  given().refine(isNoMarkup, messages.markup).pipe(note(max).min(1, messages.required));

/** The same for a note or reason that may be empty. */
export const optionalNote = (max: number) => optional().pipe(note(max));

// REG-01: a local part with a domain or an IP-literal domain.
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@(\[\d{1,3}(\.\d{1,3}){3}\]|[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)+)$/i;

export const isEmail = (value: string): boolean => EMAIL.test(value) && !/^\.|\.\.|\.@/.test(value);

export const email = (max = 200, message: string = messages.email) =>
  requiredWord(max).refine((value) => value === "" || value.length > max || isEmail(value), message);

/**
 * Returns whether the text is a telephone number in the international format of the specification: at least one digit, and otherwise only
 * digits, spaces, + ( ) { }.
 */
export const isTelephone = (value: string): boolean => /\d/.test(value) && /^[\d +(){}]+$/.test(value);

export const telephone = (max: number) =>
  requiredText(max).refine((value) => value === "" || value.length > max || isTelephone(value), messages.telephone);

/** A checkbox. It is true when any value except `false` is sent. */
export const checkbox = () =>
  z
    .union([z.string(), z.array(z.string()), z.boolean()])
    .optional()
    .transform((value) => value !== undefined && value !== false);

/**
 * The numeric id of a country, as the select element sends it. A wrong id does not prevent the other rules of the form from being checked.
 */
export const countryId = () =>
  z.string({ required_error: messages.required, invalid_type_error: messages.invalid }).transform((value, context) => {
    if (isBlank(value)) context.addIssue({ code: "custom", message: messages.required });
    else if (!/^\d{1,3}$/.test(value)) context.addIssue({ code: "custom", message: messages.collection });
    return Number(value);
  });
