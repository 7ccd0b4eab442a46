export const FORM = "certificate-correction";
