export const FORM = "found-codes";
