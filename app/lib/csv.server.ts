import { stringify } from "csv-stringify/sync";

/** Returns a CSV file for spreadsheets (RFC 4180, CRLF, with a byte order mark). Cells that would be read as formulas stay texts. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { bom: true, record_delimiter: "windows", escape_formulas: true },
  );
