export const FORM = "signer";
