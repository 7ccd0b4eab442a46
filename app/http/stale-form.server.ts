import { createValidator, type GenericObject } from "remix-validated-form";
import { isPortalError, PortalError } from "~/lib/errors";

const REFUSAL = "This form is too old or was not made by this portal. Please go back, reload the page and try again.";

/** Takes everything: it only reads the fields as the forms' own validators do. */
const reader = createValidator<GenericObject>({
  validate: (data) => Promise.resolve({ data, error: undefined }),
  validateField: () => Promise.resolve({}),
});

/** The fields of a form as its own validator reads them, and the form's id where it is a PortalForm's. */
export const readFields = (fields: FormData) => reader.validate(fields);

/** Why a form is shown again, in words for the form itself. */
interface Reason {
  told: string;
  code: string;
  status: number;
}

const TOO_OLD: Reason = {
  told: "This form was opened before you last logged in or out. Nothing was changed. Please check what it says and send it again.",
  code: "form.csrf",
  status: 403,
};

/** A field of the page of `answerOutage`: what is left out there has to be typed first. */
export const INCOMPLETE = "incomplete";

/** What that page says and its form repeats. */
export const LEFT_OUT = "Passwords, answers to security questions and files are not kept.";

const TO_COMPLETE: Reason = {
  told: `${LEFT_OUT} Please enter them again where they are needed, and send the form.`,
  code: "form.incomplete",
  status: 422,
};

/**
 * The refusal of a form that is not carried out as it was sent, but can be shown again with its fields: by default one without the session's
 * CSRF token, of a page that the same user, or nobody yet, opened before the last login.
 */
export class StaleForm extends PortalError {
  private constructor(
    readonly typed: GenericObject,
    /** Of a PortalForm. */
    readonly formId: string | undefined,
    readonly fields: FormData,
    readonly told: string,
    { code, status }: Omit<Reason, "told">,
  ) {
    super(REFUSAL, { code, status });
  }

  static async of(fields: FormData, { told, ...reason } = TOO_OLD): Promise<StaleForm> {
    const { submittedData, formId } = await readFields(fields);
    return new StaleForm(submittedData, formId, fields, told, reason);
  }

  /** The refusal of a form that the page of an outage kept without its secrets, or null for every other form. */
  static async ofIncomplete(fields: FormData): Promise<StaleForm | null> {
    if (!fields.has(INCOMPLETE)) return null;
    fields.delete(INCOMPLETE);
    return StaleForm.of(fields, TO_COMPLETE);
  }
}

/** By its fields, not by its class, as `isPortalError`. */
export const isStaleForm = (error: unknown): error is StaleForm =>
  isPortalError(error) && "typed" in error && "formId" in error;
