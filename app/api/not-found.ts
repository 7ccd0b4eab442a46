import { isPortalError, PortalError } from "~/lib/errors";

/** The names of fields that identify something. */
const NAMES_A_THING = /^(id|fileName|\w+Id)$/i;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Returns the field of a request that identifies its subject, which can be inside the code that is changed or registered. */
function subjectIn(input: unknown): string | undefined {
  if (!isRecord(input)) return undefined;
  const name = Object.keys(input).find((one) => NAMES_A_THING.test(one) && (input[one] ?? undefined) !== undefined);
  const within = name === undefined && subjectIn(input.code);
  return within ? `code.${within}` : name;
}

/**
 * Converts an error of a call's handler for programs. When something was not found, the error names the field, and its message does not
 * mention pages. The error is the same whether the thing does not exist or belongs to somebody else.
 * @param input What was sent.
 */
export function toldToPrograms(thrown: unknown, input: unknown): unknown {
  if (!isPortalError(thrown) || thrown.code !== "not-found") return thrown;
  const field = thrown.field ?? subjectIn(input);
  const message = "There is no such thing, or it is somebody else's.";
  return new PortalError(message, { code: thrown.code, status: thrown.status, cause: thrown, ...(field && { field }) });
}
