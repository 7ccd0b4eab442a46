export interface PortalErrorOptions {
  /** Stable, documented code, e.g. `CIA0101E` or `csr.weak-key`. */
  code: string;
  /** HTTP status of the answer. */
  status?: number;
  /** The form field that the message belongs to. */
  field?: string | undefined;
  /** Seconds after which it may be tried again. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** An error meant for people: its message is shown as it is. Everything else becomes GENERIC_ERROR and is logged. */
export class PortalError extends Error {
  readonly code: string;
  readonly status: number;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, { code, status = 422, field, retryAfter, cause }: PortalErrorOptions) {
    super(message, { cause });
    this.name = "PortalError";
    this.code = code;
    this.status = status;
    this.field = field;
    this.retryAfter = retryAfter;
  }
}

/** By name, not by class: a bench loads the server's build, which has a class of its own, beside its modules. */
export const isPortalError = (error: unknown): error is PortalError =>
  error instanceof Error && error.name === "PortalError";

/** Shown for every failure that was not foreseen (GEN-02). */
export const GENERIC_ERROR = "An error occurred. Please try again.";

/** Shown when the portal can neither read nor store anything for the moment. */
export const UNAVAILABLE_TEXT =
  "The portal cannot reach its data at the moment. Please try again in a few seconds: load this page again.";

const UNAVAILABLE_FOR_S = 5;

const UNAVAILABLE = "unavailable";

/** The refusal that people and programs get then; the failure itself is its cause. */
export const unavailable = (cause: unknown) =>
  new PortalError(UNAVAILABLE_TEXT, { code: UNAVAILABLE, status: 503, retryAfter: UNAVAILABLE_FOR_S, cause });

/** Whether this is that refusal. */
export const isOutage = ({ code }: PortalError): boolean => code === UNAVAILABLE;

/** Shown for every unknown path (PUB-06). */
export const NOT_FOUND_TEXT =
  "The requested page cannot be found. Please make sure that the entered URL is correct and try again.";

/** In: the field that names what is not there, where that is known. */
export const notFound = (field?: string) =>
  new PortalError(NOT_FOUND_TEXT, { code: "not-found", status: 404, ...(field && { field }) });
