import { stringify } from "csv-stringify/sync";
import { escapeFormula } from "./csv/csv-formulas";

/** Returns a CSV file for spreadsheets (RFC 4180, CRLF, with a byte order mark). Cells that would be read as formulas stay texts. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => row.map(escapeFormula)),
    { bom: true, record_delimiter: "windows" },
  );
