import { z } from "zod";
import { MIN_DATE, readDay } from "~/lib/dates";
import { messages } from "~/lib/messages";

/** How values travel (decisions §7): a single space is no text, -1 no country, `01/01/0001` and `0001-01-01T00:00:00` no date. */

const LARGEST_ID = 2_147_483_647;

/** An id in a body. */
export const id = () =>
  z
    .number({ required_error: messages.required, invalid_type_error: messages.invalid })
    .int(messages.invalid)
    .min(1, messages.invalid)
    .max(LARGEST_ID, messages.invalid);

/** An id in a query. */
export const queryId = () =>
  z
    .string({ required_error: messages.required })
    .regex(/^[1-9]\d{0,9}$/, messages.invalid)
    .transform(Number)
    .refine((value) => value <= LARGEST_ID, messages.invalid);

/** Placeholders of a country that was not chosen. */
const NO_COUNTRY = -1;

/** A country in a body, as the forms have it: the id as text, "" for none. */
export const countryId = () =>
  z
    .number({ required_error: messages.required, invalid_type_error: messages.invalid })
    .int(messages.invalid)
    .transform((value) => (value === NO_COUNTRY ? "" : String(value)));

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

/** A day in a body or query; null for none. Throws nothing: what is no day is an issue. */
export const day = () =>
  z.string({ invalid_type_error: messages.invalid }).transform((value, context) => {
    const given = value.trim().replace(/T.*$/, "");
    if (given === "" || given === "01/01/0001" || given === MIN_DATE) return null;
    const read = readDay(given);
    if (read === null) context.addIssue({ code: "custom", message: messages.invalid });
    return read;
  });

/** An ISO moment or day as it is answered: to the day, the null date where there is none. */
export const toWireDate = (iso: string | null | undefined): string =>
  iso ? `${iso.slice(0, 10)}T00:00:00Z` : `${MIN_DATE}T00:00:00`;

/** The same to the second. */
export const toWireMoment = (iso: string | null | undefined): string =>
  iso ? `${iso.slice(0, 19)}Z` : `${MIN_DATE}T00:00:00`;

export const wireDate = () => z.string().describe("`YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none");

export const wireMoment = () => z.string().describe("`YYYY-MM-DDTHH:mm:ssZ`; `0001-01-01T00:00:00` when there is none");

/** A call without parameters. */
export const nothing = z.object({}).strict();
