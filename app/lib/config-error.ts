import { type ZodError } from "zod";

/** An error that stops the start, with one line for each wrong value. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** Returns one line for each problem: `NAME what it must be`. The name is a path such as `seller.vatNumber`. */
export const problemsOf = (error: ZodError, prefix = ""): string[] =>
  error.issues.map(
    (issue) => `${prefix}${issue.path.join(".") || "value"} ${issue.message.replace(/^Required$/, "is missing")}`,
  );
