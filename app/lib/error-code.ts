/** The code is stored on the error itself, so that the log finds it wherever the error is caught. */
const CODE = Symbol.for("marque.error-code");

/** Stores the documented code of an unexpected error, for the log. Only the first code is kept. */
export function noteErrorCode(error: unknown, code: string | undefined): void {
  if (!code || !(error instanceof Error) || CODE in error || Object.isFrozen(error)) return;
  Object.defineProperty(error, CODE, { value: code });
}

export const notedErrorCode = (error: unknown): string | undefined =>
  error instanceof Error ? (error as { [CODE]?: string })[CODE] : undefined;
