import { setImmediate as othersTurn } from "node:timers/promises";
import { stringify } from "csv-stringify/sync";
import { escapeFormula } from "./csv/csv-formulas";

type Rows = readonly (readonly string[])[];

/** Returns rows of a CSV file for spreadsheets (RFC 4180, CRLF). Cells that would be read as formulas stay texts. */
const rowsOf = (rows: Rows, bom = false): string =>
  stringify(
    rows.map((row) => row.map(escapeFormula)),
    { bom, record_delimiter: "windows" },
  );

/** Returns a CSV file for spreadsheets, with a byte order mark. */
export const toCsv = (rows: Rows): string => rowsOf(rows, true);

/** Yields a CSV file whose rows come in portions. Other work gets its turn after each portion, which SQLite would not give it. */
export async function* csvInPortions(
  headings: readonly string[],
  portions: AsyncIterable<Rows>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(toCsv([headings]));
  for await (const rows of portions) {
    if (rows.length > 0) yield Buffer.from(rowsOf(rows));
    await othersTurn();
  }
}
