import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { explainFileError, FileProblem } from "~/lib/file-problem.server";
import { type CsvColumns, headerProblem } from "./csv-columns";
import { type CsvSource, examineCsvFile, nameOfSource, NOT_UTF8 } from "./csv-encoding.server";

/** One row of a CSV file. */
export interface CsvRow {
  /** The line on which the row begins. A quoted cell can contain line breaks. */
  line: number;
  /** The cells by column name, or null when the row has fewer or more cells than the header. */
  cells: Record<string, string> | null;
  count: number;
}

/** The longest row in bytes, far above what the columns may contain together. */
const MAX_ROW = 64 * 1024;

/** A file may contain all of them, if it was joined from several files. */
const ENDS_OF_ROW = ["\r\n", "\n", "\r"];

const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a cell begins with " and never ends',
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell goes on after its closing "; a " inside it is written ""',
  INVALID_OPENING_QUOTE: 'there is a " inside a cell that does not begin with one',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${MAX_ROW} bytes; is a closing " missing?`,
};

const breaksIn = (cells: readonly string[]) =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);

/** Counts the lines of the file together with its rows, because the parser counts CRLF inside quotes twice. */
class Lines {
  private last = 0;
  private empty = 0;

  /** Returns the line on which the next row begins. `emptyLines` is the number of empty lines so far. */
  next(emptyLines: number): number {
    return this.last + 1 + emptyLines - this.empty;
  }

  pass(cells: readonly string[], emptyLines: number): number {
    const line = this.next(emptyLines);
    this.last = line + breaksIn(cells);
    this.empty = emptyLines;
    return line;
  }
}

function explained(error: unknown, file: CsvSource, lines: Lines): unknown {
  if (error instanceof CsvError) {
    const line = lines.next(Number(error.empty_lines ?? 0));
    return new FileProblem(`line ${line}: ${PROBLEMS[error.code] ?? "the row cannot be read as CSV (RFC 4180)"}`);
  }
  return explainFileError(error, nameOfSource(file));
}

interface Parsed {
  line: number;
  cells: string[];
}

function checkHeader({ line, cells }: Parsed, columns: CsvColumns): string[] {
  const header = cells.map((name) => name.trim());
  const problem = headerProblem(header, columns);
  if (problem) throw new FileProblem(`line ${line}: ${problem}`);
  return header;
}

function toRow({ line, cells }: Parsed, header: readonly string[]): CsvRow {
  const foul = cells.findIndex((cell) => cell.includes("\uFFFD"));
  if (foul >= 0) throw new FileProblem(`line ${line}${header[foul] ? `, ${header[foul]}` : ""}: ${NOT_UTF8}`);
  const isWhole = cells.length === header.length;
  const named = isWhole ? Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""])) : null;
  return { line, cells: named, count: cells.length };
}

/** Yields rows as they are parsed. At a syntax error it yields the rows before it and then throws. */
async function* parseFile(file: CsvSource, lines: Lines): AsyncGenerator<Parsed> {
  const parsed: Parsed[] = []; // The parser runs ahead of the loop below and discards the rows that it has read ahead when it fails.
  const parser = parse({
    bom: true,
    delimiter: await examineCsvFile(file),
    record_delimiter: ENDS_OF_ROW,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW,
    on_record: (cells: string[], { empty_lines }) => {
      parsed.push({ line: lines.pass(cells, empty_lines), cells });
      return cells;
    },
  });
  const stream = typeof file === "string" ? createReadStream(file) : Readable.from([file.bytes]);
  pipeline(stream, parser, () => undefined); // an error of the stream or the parser is thrown by the loop below
  try {
    for await (const cells of parser) yield { line: parsed.shift()?.line ?? 0, cells: cells as string[] };
  } catch (error) {
    yield* parsed;
    throw explained(error, file, lines);
  }
}

/**
 * Reads a CSV file row by row, so that it is never in memory as a whole. The format is RFC 4180 with CRLF or LF, quotes, commas or
 * semicolons (as in the header row), and UTF-8 with or without a byte order mark. Rows without any text, which spreadsheets leave at the
 * end, are skipped. Throws a FileProblem for a file that cannot be read and for a wrong header. Where the syntax is wrong or a text is not
 * UTF-8, it yields the rows before and then throws a FileProblem.
 * @param columns The columns that the header row may and must contain.
 */
export async function* readCsvFile(file: CsvSource, columns: CsvColumns): AsyncGenerator<CsvRow> {
  let header: string[] | undefined;
  for await (const record of parseFile(file, new Lines())) {
    if (!header) header = checkHeader(record, columns);
    else if (record.cells.some((cell) => cell.trim() !== "")) yield toRow(record, header);
  }
  if (!header) throw new FileProblem("the file is empty; it begins with a header row that names the columns");
}
