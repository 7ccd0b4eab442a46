import { type z } from "zod";
import { type Typed } from "~/domain/drafts/typed-values";

/**
 * What is wrong with values that were filled in beforehand, by field: such as one that is longer than the form allows.
 * Fields that are still empty are no problem yet.
 */
export function prefillProblems(schema: z.ZodTypeAny, values: Typed): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(values).error?.issues ?? []) {
    const name = String(path[0]);
    if (values[name]?.trim()) problems[name] ??= message;
  }
  return problems;
}
