import { type ZodError } from "zod";

/** A start that must stop: one line for each wrong value. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** One line per problem: `NAME what it must be`, the name as a path such as `seller.vatNumber`. */
export const problemsOf = (error: ZodError, prefix = ""): string[] =>
  error.issues.map(
    (issue) => `${prefix}${issue.path.join(".") || "value"} ${issue.message.replace(/^Required$/, "is missing")}`,
  );
