import { type z } from "zod";
import { isPortalError, PortalError } from "~/lib/errors";
import { portalWords } from "~/lib/validation";

/** The criteria that a field does not meet, by its path, for fields with one message for several criteria. */
export type CriterionFailures = Record<string, { criterion: string; message: string }[]>;

/**
 * The maximum number of fields that an error names, and the maximum length of each name. Without these limits, a long body would get a long
 * answer.
 */
export const MOST_NAMED = 100;
const LONGEST_NAME = 200;

const shortened = (name: string) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

/** A request with invalid fields. It is answered with 422 and the first problem of each field, for at most MOST_NAMED fields. */
export class InvalidInput extends Error {
  readonly errors: Record<string, string>;

  constructor(
    errors: Record<string, string>,
    readonly criteria: CriterionFailures = {},
  ) {
    const all = Object.entries(errors);
    const rest = all.length > MOST_NAMED ? ` ${MOST_NAMED} of ${all.length} are named.` : "";
    super(`The request has fields that are not valid.${rest}`);
    this.errors = Object.fromEntries(all.slice(0, MOST_NAMED).map(([name, text]) => [shortened(name), text]));
  }
}

function problemsOf({ issues }: z.ZodError): Record<string, string> {
  const found = new Map<string, string>();
  const note = (field: string, message: string) => void (found.has(field) || found.set(field, message));
  for (const issue of issues) {
    const path = issue.path.join(".");
    if (issue.code === "unrecognized_keys")
      for (const key of issue.keys) note(path ? `${path}.${key}` : key, "This call has no such field.");
    else note(path, issue.message);
  }
  return Object.fromEntries(found);
}

function criteriaOf({ issues }: z.ZodError): CriterionFailures {
  const named = issues.flatMap((issue) => {
    const criteria =
      issue.code === "custom" ? (issue.params?.criteria as CriterionFailures[string] | undefined) : undefined;
    return criteria ? [[issue.path.join("."), criteria] as const] : [];
  });
  return Object.fromEntries(named);
}

/** The API's names of fields for which the forms have other names. */
export type WireNames = Readonly<Record<string, string>>;

const renamed = <Value>(byField: Record<string, Value>, names: WireNames): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(byField).map(([field, value]) => [
      field
        .split(".")
        .map((part) => (Object.hasOwn(names, part) ? names[part] : part))
        .join("."),
      value,
    ]),
  );

/** Returns the parsed value of a schema. Throws InvalidInput with the API's field names. */
export function check<Schema extends z.ZodTypeAny>(
  schema: Schema,
  value: unknown,
  names: WireNames = {},
): z.output<Schema> {
  const { data, error } = schema.safeParse(value, { errorMap: portalWords }) as z.SafeParseReturnType<
    unknown,
    z.output<Schema>
  >;
  if (error) throw new InvalidInput(renamed(problemsOf(error), names), renamed(criteriaOf(error), names));
  return data;
}

/**
 * Runs `work`. Gives a PortalError that it throws the API's name of the field.
 * @param fields The API's names of fields, by error code.
 */
export async function atFields<Result>(
  fields: Readonly<Record<string, string>>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isPortalError(error)) throw error;
    const { message, code, status, retryAfter } = error;
    const field = fields[code] ?? error.field;
    throw new PortalError(message, {
      code,
      status,
      cause: error,
      ...(field && { field }),
      ...(retryAfter && { retryAfter }),
    });
  }
}
