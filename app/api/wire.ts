import { extendZodWithOpenApi } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { MIN_DATE } from "~/lib/dates";
import { messages } from "~/lib/messages";
import { textRule } from "./rules";

/** How values travel (API-03): a single space is no text, -1 no country, `01/01/0001` and `0001-01-01T00:00:00` no date. */

extendZodWithOpenApi(z); // here, before any call's schema is made

/** Marks, for the description, what a request has to have, where the forms' rules and not the schema refuse a request without it. */
export const NEEDED = "x-needed";

/** The largest id that there can be. */
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

/** Placeholders of a country that was not chosen. */
const NO_COUNTRY = -1;

/** A country in a body, as the forms have it: the id as text, "" for none, which their rules refuse: the description does not offer it. */
export const wireCountryId = () =>
  z
    .number({ invalid_type_error: messages.invalid })
    .int(messages.invalid)
    .nullish()
    .transform((value) => ((value ?? NO_COUNTRY) === NO_COUNTRY ? "" : String(value)))
    .openapi({
      ...{ type: "integer", minimum: 1, [NEEDED]: true },
      description: "`id` of UserRegistration/GetCountries (ISO 3166-1 numeric)",
    });

/** A text that may be left out, empty or a single space, as the forms have it. */
export const text = () =>
  z
    .string({ invalid_type_error: messages.invalid })
    .nullish()
    .transform((value) => value ?? "");

/** A text of something that is stored, as the forms have it: null, empty or a single space empties it; left out it stays. */
export const changedText = () =>
  z
    .string({ invalid_type_error: messages.invalid })
    .nullish()
    .transform((value) => (value === null ? "" : value));

/** Without what was left out, which stays as it is stored. */
export const sentOf = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

export interface Words {
  description?: string;
  /** What the text can be. */
  choices?: readonly string[];
  /** Whether it is needed, where that depends on more than the rule. */
  isNeeded?: boolean;
}

/** A text that has to be sent, or need not be. */
const described = ({ description, choices, isNeeded = false }: Words, maxLength?: number) => ({
  ...(description && { description }),
  ...(maxLength && !choices && { maxLength }),
  ...(choices && { enum: isNeeded ? [...choices] : [...choices, " ", null] }),
  ...(isNeeded && { type: "string" as const, [NEEDED]: true, ...(!choices && { minLength: 1 }) }),
});

/** A text under a rule of the forms, which its call applies: the description has its length, and whether it is needed, from there. */
export function textBy(rule: z.ZodTypeAny, words: Words = {}) {
  const { isNeeded, maxLength } = textRule(rule);
  return text().openapi(described({ isNeeded, ...words }, maxLength));
}

/** The same of something that is stored: what is left out stays. */
export const changedTextBy = (rule: z.ZodTypeAny, words: Words = {}) =>
  changedText().openapi(described({ isNeeded: false, ...words }, textRule(rule).maxLength));

/** Texts under the rules of their names. */
export const textsBy = <Name extends string>(rules: Readonly<Record<Name, z.ZodTypeAny>>) =>
  Object.fromEntries(Object.entries<z.ZodTypeAny>(rules).map(([name, rule]) => [name, textBy(rule)])) as Record<
    Name,
    ReturnType<typeof text>
  >;

/** Taken and not read. */
export const ignoredObject = (description: string) => z.record(z.unknown()).nullish().openapi({ description });

/** An ISO moment or day as it is answered: to the day, the null date where there is none. */
export const toWireDate = (iso: string | null | undefined): string =>
  iso ? `${iso.slice(0, 10)}T00:00:00Z` : `${MIN_DATE}T00:00:00`;

/** The same to the second. */
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

/** When something was last changed: it names the version that was read. */
export const wireVersion = () =>
  z.string().openapi({
    pattern: answeredAs(CLOCK, "\\.\\d{3}"),
    description:
      "When it was last changed, `YYYY-MM-DDTHH:mm:ss.sssZ`; sent with a change it names the version that was read",
  });

/** A call without parameters. */
export const nothing = z.object({}).strict();
