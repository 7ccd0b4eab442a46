import { type ZodError } from "zod";

/** An error in the configuration, which stops the start. Its message has one line for each problem. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/**
 * Returns one line for each problem, `NAME what it must be`, after `prefix`. The name is a path such as `seller.vatNumber`, or `value` for
 * the whole value.
 */
export const problemsOf = (error: ZodError, prefix = ""): string[] =>
  error.issues.map(
    (issue) => `${prefix}${issue.path.join(".") || "value"} ${issue.message.replace(/^Required$/, "is missing")}`,
  );
