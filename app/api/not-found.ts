import { isPortalError, PortalError } from "~/lib/errors";

/** What calls name things by. */
const NAMES_A_THING = /^(id|fileName|\w+Id)$/i;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The field of a request that says which thing it is about, also within the code that is changed or registered. */
function subjectIn(input: unknown): string | undefined {
  if (!isRecord(input)) return undefined;
  const name = Object.keys(input).find((one) => NAMES_A_THING.test(one) && (input[one] ?? undefined) !== undefined);
  const within = name === undefined && subjectIn(input.code);
  return within ? `code.${within}` : name;
}

/**
 * What a call's handler threw, as programs are told it: what is not found is named by its field, and pages are no words for them. It is the
 * same whether there is nothing or something of somebody else's. In: what was sent.
 */
export function toldToPrograms(thrown: unknown, input: unknown): unknown {
  if (!isPortalError(thrown) || thrown.code !== "not-found") return thrown;
  const field = thrown.field ?? subjectIn(input);
  const message = "There is no such thing, or it is somebody else's.";
  return new PortalError(message, { code: thrown.code, status: thrown.status, cause: thrown, ...(field && { field }) });
}
