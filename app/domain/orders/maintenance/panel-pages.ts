/** The number of rows in a table of sub-codes (SAL-04). */
export const SUBCODE_ROWS = 5;

/** The names of the query parameters with the page of the codes, and of each code's sub-codes. */
export const CODES_PAGE = "codes";
export const subcodesPage = (lineId: number) => `subcodes-${lineId}`;
