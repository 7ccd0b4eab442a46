export const FORM = "confirm-to-signer";
