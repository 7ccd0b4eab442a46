import { ConfigError } from "~/lib/config-error";

/** Prints one line on standard output. */
export const say = (line: string): void => console.log(line);

/** Prints one line on standard error. */
export const warn = (line: string): void => console.error(line);

/** Returns the message, or the code of an error without a message (such as a refused connection). */
const textOf = (error: unknown) =>
  error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code ?? error.name) : String(error);

/** Prints why the command stopped, in one line or in one line for each wrong setting. The process will end with exit code 1. */
export function fail(error: unknown): void {
  const lines = error instanceof ConfigError ? error.problems : [textOf(error)];
  for (const line of lines) warn(`portal: ${line.replace(/\s*\n\s*/g, " ")}`);
  process.exitCode = 1;
}

/** Formats rows as columns below their headings. Each column is as wide as its longest cell. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(headings), ...rows.map(line)].join("\n");
}

/** Formats `2026-11-21T10:00:00.000Z` as `2026-11-21 10:00:00Z` and null as `-`. */
export const timestamp = (iso: string | null): string => (iso ? `${iso.slice(0, 19).replace("T", " ")}Z` : "-");
