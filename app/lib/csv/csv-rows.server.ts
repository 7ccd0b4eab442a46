import { messages } from "~/lib/messages";
import { hasMarkup, hidesCharacters } from "~/lib/plain-text.server";
import { type CsvRow } from "./csv-file.server";

/** What is wrong with a row of a file: the column, if it is one, and why. */
export interface RowProblem {
  field?: string;
  message: string;
}

export const CELL_MESSAGES = {
  controls: "Control characters and line breaks are not allowed.",
  markup: messages.markup,
} as const;

/** What there is to tell of a file's rows: each thing once, and in the order of lines. */
export class RowReport {
  private readonly told: { line: number; tell: () => void }[] = [];
  private readonly known = new Set<string>();
  private readonly bad = new Set<number>();

  constructor(private readonly onProblem: (line: number, problem: RowProblem) => void) {}

  /** Notes that a row is wrong. The same rule can find it twice: by the file and by what is stored. */
  readonly problem = (line: number, problem: RowProblem): void => {
    this.bad.add(line);
    const key = JSON.stringify([line, problem.field, problem.message]);
    if (!this.known.has(key)) this.add(line, () => this.onProblem(line, problem));
    this.known.add(key);
  };

  /** Notes something else about a row. */
  add(line: number, tell: () => void): void {
    this.told.push({ line, tell });
  }

  /** Returns how many rows are wrong. */
  get badRows(): number {
    return this.bad.size;
  }

  tell(): void {
    for (const { tell } of this.told.sort((one, other) => one.line - other.line)) tell();
  }
}

/** What no cell may hold, whatever its column: forms of the portal take it out, a file says where it is. */
export function cellProblem(text: string): string | null {
  if (hidesCharacters(text)) return CELL_MESSAGES.controls;
  return hasMarkup(text) ? CELL_MESSAGES.markup : null;
}

/** Everything that is wrong with a row whatever its columns mean; with nothing, its `cells` are there. */
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

/** `companyAddress.city` becomes a part of `companyAddress`; a group of columns without any text is left out. */
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

/** Rows by the number that is held in memory. Those before a place where the file breaks come, too, and then what broke. */
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
