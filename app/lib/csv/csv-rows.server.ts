import { messages } from "~/lib/messages";
import { hasMarkup, hidesCharacters } from "~/lib/plain-text.server";
import { type CsvRow } from "./csv-file.server";

/** A problem with a row of a file. `field` is the column, if the problem is in a single one. */
export interface RowProblem {
  field?: string;
  message: string;
}

export const CELL_MESSAGES = {
  controls: "Control characters and line breaks are not allowed.",
  markup: messages.markup,
} as const;

/** How many characters of a cell a message quotes. */
const QUOTED = 60;

/** Returns the beginning of a cell as a message quotes it. */
export const cellBeginning = (text: string): string => (text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);

/** Returns the error for a cell, or a part of it, that is none of the allowed values. */
export const collectionProblem = (value: string, allowed: readonly string[]): string =>
  `The value '${cellBeginning(value)}' is not part of the collection. Allowed: ${allowed.join(", ")}.`;

/** Collects messages about the rows of a file and reports each of them once, in the order of the lines. */
export class RowReport {
  private readonly reports: { line: number; tell: () => void }[] = [];
  private readonly known = new Set<string>();
  private readonly bad = new Set<number>();

  constructor(private readonly onProblem: (line: number, problem: RowProblem) => void) {}

  /**
   * Records a problem with a row. The same problem can be found twice, in the file and by comparison with stored rows, and is reported
   * once.
   */
  readonly problem = (line: number, problem: RowProblem): void => {
    this.bad.add(line);
    const key = JSON.stringify([line, problem.field, problem.message]);
    if (!this.known.has(key)) this.add(line, () => this.onProblem(line, problem));
    this.known.add(key);
  };

  /** Records another message about a row. */
  add(line: number, tell: () => void): void {
    this.reports.push({ line, tell });
  }

  /** Returns the number of rows with problems. */
  get badRows(): number {
    return this.bad.size;
  }

  tell(): void {
    for (const { tell } of this.reports.sort((one, other) => one.line - other.line)) tell();
  }
}

/**
 * Returns a message when a cell has contents that no column may have, otherwise null. Forms remove such contents; for a file they are
 * reported.
 */
export function cellProblem(text: string): string | null {
  if (hidesCharacters(text)) return CELL_MESSAGES.controls;
  return hasMarkup(text) ? CELL_MESSAGES.markup : null;
}

/** Returns every problem with a row that does not depend on the meaning of its columns. If there is none, `cells` is not null. */
export function rowProblems({ cells, count }: CsvRow): RowProblem[] {
  if (!cells) {
    const cellsOf = count === 1 ? "1 cell" : `${count} cells`;
    return [{ message: `The row has ${cellsOf}, which is not as many as the header.` }];
  }
  return Object.entries(cells).flatMap(([field, text]) => {
    const message = cellProblem(text);
    return message ? [{ field, message }] : [];
  });
}

/** Converts `companyAddress.city` to a property of `companyAddress`. A group of columns without any text is omitted. */
export function nested(cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  const groups: Record<string, Record<string, string>> = {};
  for (const [name, text] of Object.entries(cells)) {
    const [group = "", part] = name.split(".");
    if (part === undefined) row[name] = text;
    else (groups[group] ??= {})[part] = text;
  }
  const filled = Object.entries(groups).filter(([, parts]) => Object.values(parts).some((text) => text.trim() !== ""));
  return { ...row, ...Object.fromEntries(filled) };
}

/** Yields the rows in batches that fit into memory. At an error it yields the rows before it and then throws. */
export async function* batchesOf<T>(rows: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  try {
    for await (const row of rows) {
      batch.push(row);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}
