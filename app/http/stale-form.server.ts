import { createValidator, type GenericObject } from "remix-validated-form";
import { isPortalError, PortalError } from "~/lib/errors";

const REFUSAL = "This form is too old or was not made by this portal. Please go back, reload the page and try again.";

/** Accepts everything: it only reads the fields as the forms' own validators do. */
const reader = createValidator<GenericObject>({
  validate: (data) => Promise.resolve({ data, error: undefined }),
  validateField: () => Promise.resolve({}),
});

/** Reads the fields of a form as its own validator does, and the form's id when it is a PortalForm. */
export const readFields = (fields: FormData) => reader.validate(fields);

/** Why a form is shown again, with the text for the form itself. */
interface Reason {
  explanation: string;
  code: string;
  status: number;
}

const TOO_OLD: Reason = {
  explanation:
    "This form was opened before you last logged in or out. Nothing was changed. Please check what it says and send it again.",
  code: "form.csrf",
  status: 403,
};

/** A field of the page of `answerOutage`. It says that omitted values have to be typed before the form can be processed. */
export const INCOMPLETE = "incomplete";

/** The text on that page, which the form repeats. */
export const LEFT_OUT = "Passwords, answers to security questions and files are not kept.";

const TO_COMPLETE: Reason = {
  explanation: `${LEFT_OUT} Please enter them again where they are needed, and send the form.`,
  code: "form.incomplete",
  status: 422,
};

/**
 * The refusal of a form that was not processed but can be shown again with its fields. By default it is a form without the session's CSRF
 * token, from a page that the same user or an anonymous visitor opened before the last login.
 */
export class StaleForm extends PortalError {
  private constructor(
    readonly typed: GenericObject,
    /** The id of a PortalForm. */
    readonly formId: string | undefined,
    readonly fields: FormData,
    readonly explanation: string,
    { code, status }: Omit<Reason, "explanation">,
  ) {
    super(REFUSAL, { code, status });
  }

  static async of(fields: FormData, { explanation, ...reason } = TOO_OLD): Promise<StaleForm> {
    const { submittedData, formId } = await readFields(fields);
    return new StaleForm(submittedData, formId, fields, explanation, reason);
  }

  /** Returns the refusal of a form that the outage page kept without its secrets, or null for every other form. */
  static async ofIncomplete(fields: FormData): Promise<StaleForm | null> {
    if (!fields.has(INCOMPLETE)) return null;
    fields.delete(INCOMPLETE);
    return StaleForm.of(fields, TO_COMPLETE);
  }
}

/** Recognised by its fields and not by its class, as in `isPortalError`. */
export const isStaleForm = (error: unknown): error is StaleForm =>
  isPortalError(error) && "typed" in error && "formId" in error;
