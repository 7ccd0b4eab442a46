import { open, seal } from "./secret-box.server";

const contextOf = (userId: number) => `totp ${userId}`;

export const sealTotpSecret = (secret: string, userId: number): string => seal(secret, contextOf(userId));

/** Returns the secret of an app, or null when AUDIT_KEYS no longer has the key with which it was encrypted. */
export const openTotpSecret = (sealed: string, userId: number): string | null => open(sealed, contextOf(userId));
