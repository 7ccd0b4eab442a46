import { CaError } from "../errors.server";

/** Returns the name of the return value of a Cryptoki function, for example `CKR_PIN_INCORRECT`, or null for any other error. */
export function returnValueOf(error: unknown): string | null {
  const message = error instanceof Error ? error.message : "";
  return /^CKR_[A-Z0-9_]+/.exec(message)?.[0] ?? null;
}

/** What a library returns when it does not know what is wrong: SoftHSM does so when the folder of its token is gone. */
const UNKNOWN = "CKR_GENERAL_ERROR";

/**
 * Return values that mean that the token was restarted, removed or unplugged, or that somebody closed the session. Everything must be
 * opened again.
 */
const LOST = new Set([
  UNKNOWN,
  "CKR_SESSION_HANDLE_INVALID",
  "CKR_SESSION_CLOSED",
  "CKR_USER_NOT_LOGGED_IN",
  "CKR_KEY_HANDLE_INVALID",
  "CKR_OBJECT_HANDLE_INVALID",
  "CKR_SLOT_ID_INVALID",
  "CKR_TOKEN_NOT_PRESENT",
  "CKR_TOKEN_NOT_RECOGNIZED",
  "CKR_DEVICE_ERROR",
  "CKR_DEVICE_REMOVED",
  "CKR_CRYPTOKI_NOT_INITIALIZED",
]);

export const isTokenLost = (error: unknown): boolean => LOST.has(returnValueOf(error) ?? "");

/** Returns whether only a new start of the library may help. */
export const needsRestart = (error: unknown): boolean => returnValueOf(error) === UNKNOWN;

/** Returns an error of the token as a CaError. The library's own error contains nothing secret, but its stack is of no use. */
export function tokenError(what: string, error: unknown): CaError {
  if (error instanceof CaError) return error;
  const reason = returnValueOf(error) ?? (error instanceof Error ? error.message.split("\n")[0] : String(error));
  return new CaError("token", `${what}: ${reason}.`);
}
