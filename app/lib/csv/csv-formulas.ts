/** Matches what spreadsheet programs read as a formula, including apostrophes that were put before it. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

/** Returns a cell that no spreadsheet program reads as a formula. `unshielded` returns exactly the original text. */
export const escapeFormula = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
