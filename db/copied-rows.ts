/**
 * A table in a backup. Rows are JSON arrays of the values in the order of `columns`, one row in a line. The values are the same whichever
 * database they come from: timestamps are ISO texts in UTC, booleans are `true` and `false`, and bytes are hexadecimal texts that begin with
 * `\x`.
 */
export interface CopiedTable {
  name: string;
  columns: string[];
}

/** Some rows of a table, as lines of JSON that end with a line break. */
export interface CopiedRows {
  text: string;
  rows: number;
}

const BYTES_PREFIX = String.raw`\x`;

export const bytesToText = (bytes: Buffer): string => BYTES_PREFIX + bytes.toString("hex");

export const textToBytes = (text: string): Buffer => Buffer.from(text.slice(BYTES_PREFIX.length), "hex");

/** Returns a name as SQL writes it, in both databases. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const sqlNames = (names: readonly string[]): string => names.map(sqlName).join(", ");
