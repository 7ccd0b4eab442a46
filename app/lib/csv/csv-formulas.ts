/**
 * The places in a cell before which an apostrophe is put. They are where a spreadsheet program would begin to read a formula, including
 * apostrophes that are there already: the beginning of the cell, and what follows a semicolon, a tab or a line break, because a program
 * that takes one of these for the separator ignores the quotes around the cell.
 */
const PLACE = /^(?='*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])|(?<=[;\t\r\n][ "]*)(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const ESCAPED =
  /^'(?='*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])|(?<=[;\t\r\n][ "]*)'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Returns a cell that no spreadsheet program reads as a formula. `unescapeFormula` returns exactly the original text. */
export const escapeFormula = (cell: string): string => cell.replace(PLACE, "'");

export const unescapeFormula = (cell: string): string => cell.replace(ESCAPED, "");
