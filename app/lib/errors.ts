import { type BrokenRule } from "./broken-rule";

export interface PortalErrorOptions {
  /** Stable, documented code, for example `CIA0101E` or `csr.weak-key`. */
  code: string;
  /** HTTP status of the response. */
  status?: number;
  /** The form field that the message belongs to. */
  field?: string | undefined;
  /** Seconds after which the caller may try again. */
  retryAfter?: number | undefined;
  /** What a security event says about the refusal, where the code alone says too little. Neutral: it is read by auditors. */
  detail?: string | undefined;
  /** The rules that a refused CSR breaks. */
  rules?: readonly BrokenRule[] | undefined;
  cause?: unknown;
}

/** An error whose message is shown to users unchanged. All other errors are logged and shown as GENERIC_ERROR. */
export class PortalError extends Error {
  readonly code: string;
  readonly status: number;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;
  readonly detail: string | undefined;
  readonly rules: readonly BrokenRule[] | undefined;

  constructor(message: string, { code, status = 422, field, retryAfter, detail, rules, cause }: PortalErrorOptions) {
    super(message, { cause });
    this.name = "PortalError";
    this.code = code;
    this.status = status;
    this.field = field;
    this.retryAfter = retryAfter;
    this.detail = detail;
    this.rules = rules;
  }
}

/**
 * Checks the name instead of the class, because a benchmark loads the server's build beside its own modules, and each of them has a class
 * of its own.
 */
export const isPortalError = (error: unknown): error is PortalError =>
  error instanceof Error && error.name === "PortalError";

/** Shown for every unexpected error (GEN-02). */
export const GENERIC_ERROR = "An error occurred. Please try again.";

/** Shown when the portal can neither read nor store anything at present. */
export const UNAVAILABLE_TEXT =
  "The portal cannot reach its data at the moment. Please try again in a few seconds: load this page again.";

const UNAVAILABLE_FOR_S = 5;

const UNAVAILABLE = "unavailable";

/**
 * Returns the error that users and programs get when the portal can neither read nor store anything.
 * @param cause The failure itself.
 */
export const unavailable = (cause: unknown) =>
  new PortalError(UNAVAILABLE_TEXT, { code: UNAVAILABLE, status: 503, retryAfter: UNAVAILABLE_FOR_S, cause });

/** Returns whether the error was made by `unavailable`. */
export const isOutage = ({ code }: PortalError): boolean => code === UNAVAILABLE;

/** Shown for every unknown path (PUB-06). */
export const NOT_FOUND_TEXT =
  "The requested page cannot be found. Please make sure that the entered URL is correct and try again.";

/** Returns a PortalError (404). `field` names the value that was not found, if known. */
export const notFound = (field?: string) =>
  new PortalError(NOT_FOUND_TEXT, { code: "not-found", status: 404, ...(field && { field }) });
