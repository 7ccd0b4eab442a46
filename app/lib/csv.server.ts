import { stringify } from "csv-stringify/sync";

/** A CSV file for spreadsheets (RFC 4180, CRLF, with a byte order mark): what would be taken for a formula is kept as text. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { bom: true, record_delimiter: "windows", escape_formulas: true },
  );
