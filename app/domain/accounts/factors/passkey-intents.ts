/** What the forms for passkeys ask for: the options of an authenticator, or to use or add a passkey with its answer. */
export const PASSKEY_OPTIONS = "passkey-options";
export const PASSKEY_USE = "passkey";
export const PASSKEY_ADD = "passkey-add";
