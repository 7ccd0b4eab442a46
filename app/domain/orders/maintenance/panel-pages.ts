/** Rows of a table of sub-codes (SAL-04). */
export const SUBCODE_ROWS = 5;

/** The names of the parameters that say which page of the codes, and of a code's sub-codes, is shown. */
export const CODES_PAGE = "codes";
export const subcodesPage = (lineId: number) => `subcodes-${lineId}`;
