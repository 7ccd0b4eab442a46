export const FORM = "company-note";
