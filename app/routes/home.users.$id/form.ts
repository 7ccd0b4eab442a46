export const FORM = "user";
