import { ConfigError } from "~/lib/config-error";

/** Returns the lines of the ConfigError that `work` throws, or none. */
export function problemsOf(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
