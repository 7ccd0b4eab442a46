export const FORM = "second-factors";
export const RENAME_FORM = "factor-name";
