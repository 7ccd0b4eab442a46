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

/** The refusal of a form without the session's CSRF token. A page that the same user, or nobody yet, opened before the last login can show it again. */
export class StaleForm extends PortalError {
  private constructor(
    readonly typed: GenericObject,
    /** Of a PortalForm. */
    readonly formId: string | undefined,
    readonly fields: FormData,
  ) {
    super(REFUSAL, { code: "form.csrf", status: 403 });
  }

  static async of(fields: FormData): Promise<StaleForm> {
    const { submittedData, formId } = await readFields(fields);
    return new StaleForm(submittedData, formId, fields);
  }
}

/** By its fields, not by its class, as `isPortalError`. */
export const isStaleForm = (error: unknown): error is StaleForm =>
  isPortalError(error) && "typed" in error && "formId" in error;
