/** The column names of a kind of CSV file. */
export interface CsvColumns {
  required: readonly string[];
  optional: readonly string[];
}

/** Returns what is wrong with a header row, or null. The columns can be in any order. */
export function headerProblem(header: readonly string[], { required, optional }: CsvColumns): string | null {
  const unknown = header.filter((name) => !required.includes(name) && !optional.includes(name));
  const missing = required.filter((name) => !header.includes(name));
  const twice = header.filter((name, index) => header.indexOf(name) !== index);
  const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(", ");
  if (unknown.length > 0) return `the header row has unknown columns: ${quoted(unknown)}`;
  if (missing.length > 0) return `the header row lacks the columns ${quoted(missing)}`;
  return twice.length > 0 ? `the header row has columns twice: ${quoted(twice)}` : null;
}
