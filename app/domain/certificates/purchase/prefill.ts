import { type z } from "zod";
import { type Typed } from "~/domain/drafts/typed-values";

/** Returns the errors of prefilled values by field, such as a value that is longer than the form allows. Empty fields are no errors yet. */
export function prefillProblems(schema: z.ZodTypeAny, values: Typed): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(values).error?.issues ?? []) {
    const name = String(path[0]);
    if (values[name]?.trim()) problems[name] ??= message;
  }
  return problems;
}
