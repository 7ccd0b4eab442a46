export const FORM = "accept-passkey";
