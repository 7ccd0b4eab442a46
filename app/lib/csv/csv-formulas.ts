/** What spreadsheet programs take for a formula, with the apostrophes that were put before it. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

/** A cell that no spreadsheet program takes for a formula; `unshielded` gives back exactly what it was. */
export const shielded = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

export const unshielded = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
