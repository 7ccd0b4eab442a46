export const FORM = "codes";
