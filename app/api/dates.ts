import { z } from "zod";
import { hasFormOfDay } from "~/lib/date-errors";
import { MIN_DATE } from "~/lib/dates";
import { messages } from "~/lib/messages";
import { readDay } from "~/lib/typed-dates";

/** The message for a text that is not a date. */
export const DATE_FORMATS =
  "The date must be a day, YYYY-MM-DD or dd/MM/yyyy, or a moment like 2026-05-31T14:30:00Z or 2026-05-31T16:30:00+02:00; without Z or offset it is in UTC.";

/** The message for a date that does not exist in the calendar. */
export const NO_SUCH_DAY = "There is no such day in the calendar, years 0001 to 9999.";

/** The accepted date formats, for the API description. */
export const TAKEN_DATES = "`YYYY-MM-DD`, `DD/MM/YYYY` or `YYYY-MM-DDTHH:mm:ssZ`";

/** An instant or a day in UTC. */
export interface WireMoment {
  /** `yyyy-MM-dd` */
  day: string;
  /** `HH:mm:ss`, or null when only a day was given. */
  time: string | null;
  /** The instant in the stored format, `yyyy-MM-ddTHH:mm:ss.SSSZ`. For a day it is midnight. */
  iso: string;
}

const MOMENT =
  /^(?<day>\d{4}-\d\d-\d\d)T(?<time>([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?)(?<offset>Z|[+-](0\d|1[0-4]):[0-5]\d)?$/i;

/** Converts an instant with any offset to UTC. Returns null when its year does not have four digits. */
function toUtc(day: string, time: string, offset: string): WireMoment | null {
  const iso = new Date(`${day}T${time}${offset.toUpperCase()}`).toISOString();
  return /^\d{4}-/.test(iso) ? { day: iso.slice(0, 10), time: iso.slice(11, 19), iso } : null;
}

/** Returns the day, time and offset of a text. A text that is not an instant is returned as the day. */
function partsOf(text: string): { day: string; time?: string | undefined; offset?: string | undefined } {
  return { day: text, ...MOMENT.exec(text)?.groups };
}

/** Reads a day or an instant. Returns "none" for the null date (API-03) and for an empty text, and null for an invalid date. */
export function readWireMoment(given: string): WireMoment | "none" | null {
  const text = given.trim();
  const { day, time, offset = "Z" } = partsOf(text);
  if (text === "") return "none";
  const read = readDay(day);
  if (read === null) return null;
  if (read === MIN_DATE) return "none";
  return time === undefined ? { day: read, time: null, iso: `${read}T00:00:00.000Z` } : toUtc(read, time, offset);
}

const dateText = () => z.string({ invalid_type_error: messages.invalid });

/** Returns the instant, or null when there is none. Adds an issue for an invalid date. */
function moment(given: string, context: z.RefinementCtx): WireMoment | null {
  const read = readWireMoment(given);
  const hasForm = hasFormOfDay(partsOf(given.trim()).day);
  if (read === null) context.addIssue({ code: "custom", message: hasForm ? NO_SUCH_DAY : DATE_FORMATS });
  return read === "none" ? null : read;
}

/** Returns the schema of an optional instant, which is null when there is none. */
export const optionalMoment = () =>
  dateText()
    .nullish()
    .transform((given, context) => moment(given ?? "", context));

/**
 * Returns the schema of the `updatedAt` with which a program says which version of `thing` it read. The parsed value is in the stored
 * format, and null when it was omitted.
 */
export const version = (thing: string) =>
  dateText()
    .nullish()
    .transform((given, context) => moment(given ?? "", context)?.iso ?? null)
    .openapi({
      description: `As the ${thing} was read, with its milliseconds: then nothing is saved when somebody else has changed it since`,
    });

/**
 * Returns the schema of a day in a body or query. The parsed value is `yyyy-MM-dd`, for an instant its day in UTC, and null when there is
 * none.
 */
export const day = () => dateText().transform((given, context) => moment(given, context)?.day ?? null);
