export const FORM = "second-factors";
export const RENAME_FORM = "factor-name";
export const PASSKEY_FORM = "new-passkey";
