import { ConfigError } from "~/lib/config-error";

/** One line on standard output. */
export const say = (line: string): void => console.log(line);

/** One line on standard error. */
export const warn = (line: string): void => console.error(line);

/** The message, or for errors without one (a refused connection) the code. */
const textOf = (error: unknown) =>
  error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code ?? error.name) : String(error);

/** Says in one line (one for each wrong setting) why the command stopped; the process will end with 1. */
export function fail(error: unknown): void {
  const lines = error instanceof ConfigError ? error.problems : [textOf(error)];
  for (const line of lines) warn(`portal: ${line.replace(/\s*\n\s*/g, " ")}`);
  process.exitCode = 1;
}

/** Rows as columns under their headings, as wide as the longest cell. */
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

/** `2026-11-21T10:00:00.000Z` → `2026-11-21 10:00:00Z`; null → `-`. */
export const moment = (iso: string | null): string => (iso ? `${iso.slice(0, 19).replace("T", " ")}Z` : "-");
