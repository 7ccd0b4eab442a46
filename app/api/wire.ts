import { extendZodWithOpenApi } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { MIN_DATE } from "~/lib/dates";
import { messages } from "~/lib/messages";
import { textRule } from "./rules";

/** The format of values (API-03): a single space is no text, -1 no country, `01/01/0001` and `0001-01-01T00:00:00` no date. */

extendZodWithOpenApi(z); // must run before the schema of any call is created

/** Marks fields that the rules of the forms require although the schema does not. The description states them as required. */
export const NEEDED = "x-needed";

/** The largest possible id. */
export const LARGEST_WIRE_ID = 2_147_483_647;

/** An id in a body. */
export const id = () =>
  z
    .number({ required_error: messages.required, invalid_type_error: messages.invalid })
    .int(messages.invalid)
    .min(1, messages.invalid)
    .max(LARGEST_WIRE_ID, messages.invalid);

/** A whole number in a query. */
export const queryNumber = (least: number, largest: number, outside: string = messages.invalid) =>
  z
    .string({ required_error: messages.required })
    .regex(/^(0|[1-9]\d{0,9})$/, messages.invalid)
    .transform(Number)
    .refine((value) => value >= least && value <= largest, outside)
    .openapi({ type: "integer", minimum: least, maximum: largest });

/** An id in a query. */
export const queryId = () => queryNumber(1, LARGEST_WIRE_ID);

/** The value for no country. */
const NO_COUNTRY = -1;

/**
 * Returns the schema of a country in a body. The parsed value has the format of the forms: the id as text, or "" for none. The rules of the
 * forms refuse "", so the description does not offer it.
 */
export const wireCountryId = () =>
  z
    .number({ invalid_type_error: messages.invalid })
    .int(messages.invalid)
    .nullish()
    .transform((value) => ((value ?? NO_COUNTRY) === NO_COUNTRY ? "" : String(value)))
    .openapi({
      type: "integer",
      minimum: 1,
      [NEEDED]: true,
      description: "`id` of UserRegistration/GetCountries (ISO 3166-1 numeric)",
    });

/** Returns the schema of a text that may be omitted, null, empty or a single space. A missing text becomes "". */
export const text = () =>
  z
    .string({ invalid_type_error: messages.invalid })
    .nullish()
    .transform((value) => value ?? "");

/**
 * Returns the schema of a text that replaces a stored one. Null, an empty text or a single space clears the stored text; when the text is
 * omitted, the stored text stays.
 */
export const changedText = () =>
  z
    .string({ invalid_type_error: messages.invalid })
    .nullish()
    .transform((value) => (value === null ? "" : value));

/** Returns the fields without those that were omitted, which stay as stored. */
export const sentOf = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

export interface Words {
  description?: string;
  /** The possible values of the text. */
  choices?: readonly string[];
  /** Whether the text is required, where that depends on more than the rule. */
  isNeeded?: boolean;
}

/** Returns the OpenAPI metadata of a text. */
const described = ({ description, choices, isNeeded = false }: Words, maxLength?: number) => ({
  ...(description && { description }),
  ...(maxLength && !choices && { maxLength }),
  ...(choices && { enum: isNeeded ? [...choices] : [...choices, " ", null] }),
  ...(isNeeded && { type: "string" as const, [NEEDED]: true, ...(!choices && { minLength: 1 }) }),
});

/**
 * Returns the schema of a text that its call checks with a rule of the forms. The rule determines the maximum length in the description,
 * and whether the text is required.
 */
export function textBy(rule: z.ZodTypeAny, words: Words = {}) {
  const { isNeeded, maxLength } = textRule(rule);
  return text().openapi(described({ isNeeded, ...words }, maxLength));
}

/**
 * Returns the schema of a text that replaces a stored one and that its call checks with a rule of the forms. When it is omitted, the stored
 * text stays.
 */
export const changedTextBy = (rule: z.ZodTypeAny, words: Words = {}) =>
  changedText().openapi(described({ isNeeded: false, ...words }, textRule(rule).maxLength));

/**
 * Returns the schemas of several texts, by name.
 * @param rules The rule of each text, by name.
 */
export const textsBy = <Name extends string>(rules: Readonly<Record<Name, z.ZodTypeAny>>) =>
  Object.fromEntries(Object.entries<z.ZodTypeAny>(rules).map(([name, rule]) => [name, textBy(rule)])) as Record<
    Name,
    ReturnType<typeof text>
  >;

/** Returns the schema of an object that is accepted and ignored. */
export const ignoredObject = (description: string) => z.record(z.unknown()).nullish().openapi({ description });

/** Returns an ISO instant or day in the format of the answers, to the day. The null date stands for none. */
export const toWireDate = (iso: string | null | undefined): string =>
  iso ? `${iso.slice(0, 10)}T00:00:00Z` : `${MIN_DATE}T00:00:00`;

/** Returns an ISO instant in the format of the answers, to the second. The null date stands for none. */
export const toWireMoment = (iso: string | null | undefined): string =>
  iso ? `${iso.slice(0, 19)}Z` : `${MIN_DATE}T00:00:00`;

const answeredAs = (time: string, milliseconds = "") =>
  `^(\\d{4}-\\d{2}-\\d{2}T${time}${milliseconds}Z|${MIN_DATE}T00:00:00)$`;

const CLOCK = "\\d{2}:\\d{2}:\\d{2}";

export const wireDate = () =>
  z.string().openapi({
    pattern: answeredAs("00:00:00"),
    description: "Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none",
  });

export const wireMoment = () =>
  z.string().openapi({
    pattern: answeredAs(CLOCK),
    description: "Moment in UTC, `YYYY-MM-DDTHH:mm:ssZ`; `0001-01-01T00:00:00` when there is none",
  });

/** Returns the schema of the timestamp of the last change, which identifies the version that was read. */
export const wireVersion = () =>
  z.string().openapi({
    pattern: answeredAs(CLOCK, "\\.\\d{3}"),
    description:
      "When it was last changed, `YYYY-MM-DDTHH:mm:ss.sssZ`; sent with a change it names the version that was read",
  });

/** The input of a call without parameters. */
export const nothing = z.object({}).strict();
