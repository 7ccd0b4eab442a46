import { z } from "zod";
import { hasFormOfDay } from "~/lib/date-errors";
import { MIN_DATE } from "~/lib/dates";
import { messages } from "~/lib/messages";
import { readDay } from "~/lib/typed-dates";

/** What is said of a date in a request that is none. */
export const DATE_FORMATS =
  "The date must be a day, YYYY-MM-DD or dd/MM/yyyy, or a moment like 2026-05-31T14:30:00Z or 2026-05-31T16:30:00+02:00; without Z or offset it is in UTC.";

/** What is said of one in such a form that the calendar does not have. */
export const NO_SUCH_DAY = "There is no such day in the calendar, years 0001 to 9999.";

/** How dates are taken, in a description's words. */
export const TAKEN_DATES = "`YYYY-MM-DD`, `DD/MM/YYYY` or `YYYY-MM-DDTHH:mm:ssZ`";

/** A moment in UTC; `time` is null where only a day was given. */
export interface WireMoment {
  /** `yyyy-MM-dd` */
  day: string;
  /** `HH:mm:ss` */
  time: string | null;
  /** Both as they are stored, `yyyy-MM-ddTHH:mm:ss.SSSZ`; of a day its beginning. */
  iso: string;
}

const MOMENT =
  /^(?<day>\d{4}-\d\d-\d\d)T(?<time>([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?)(?<offset>Z|[+-](0\d|1[0-4]):[0-5]\d)?$/i;

/** A moment of the years that four digits can tell, from whatever offset to UTC. */
function toUtc(day: string, time: string, offset: string): WireMoment | null {
  const iso = new Date(`${day}T${time}${offset.toUpperCase()}`).toISOString();
  return /^\d{4}-/.test(iso) ? { day: iso.slice(0, 10), time: iso.slice(11, 19), iso } : null;
}

/** Day, time and offset of a text; all of it is the day where it is no moment. */
function partsOf(text: string): { day: string; time?: string | undefined; offset?: string | undefined } {
  return { day: text, ...MOMENT.exec(text)?.groups };
}

/** Reads a day or a moment, the same way in every call. Out: "none" for the null date (API-03) and for no text; null for what is no date. */
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

/** Null for no date. Throws nothing: what is no date is an issue. */
function moment(given: string, context: z.RefinementCtx): WireMoment | null {
  const read = readWireMoment(given);
  const hasForm = hasFormOfDay(partsOf(given.trim()).day);
  if (read === null) context.addIssue({ code: "custom", message: hasForm ? NO_SUCH_DAY : DATE_FORMATS });
  return read === "none" ? null : read;
}

/** A moment that may be left out; null for none. */
export const optionalMoment = () =>
  dateText()
    .nullish()
    .transform((given, context) => moment(given ?? "", context));

/** The version of something that was read, the moment of its last change, as it is stored; null when it is not given. */
export const version = (thing: string) =>
  dateText()
    .nullish()
    .transform((given, context) => moment(given ?? "", context)?.iso ?? null)
    .openapi({
      description: `As the ${thing} was read, with its milliseconds: then nothing is saved when somebody else has changed it since`,
    });

/** A day in a body or query, of a moment that in UTC; null for none. */
export const day = () => dateText().transform((given, context) => moment(given, context)?.day ?? null);
