export const FORM = "confirm";
