import { json } from "@remix-run/node";
import { validationError, type GenericObject, type ValidatorError } from "remix-validated-form";
import { isPortalError, type PortalError } from "~/lib/errors";
import { FORM_LIMITS } from "./limits";
import { FORM_ERROR } from "~/lib/form-error";

/** What the error boundary reads. */
export interface ErrorBody {
  message: string;
  code: string;
}

/** A PortalError as the response to throw: Remix hides the messages of plain errors in production. */
export const errorResponse = ({ message, code, status }: PortalError): Response =>
  json<ErrorBody>({ message, code }, { status });

const SECRETS = /password|securityAnswer|csrf|csrFile/i;

const isAbsurd = (name: string, value: unknown) =>
  name !== "csr" && typeof value === "string" && value.length > FORM_LIMITS.text;

/** What may be shown again: never passwords, answers or files, nor a text that nobody can have typed. */
function withoutSecrets(submitted: GenericObject): GenericObject {
  return Object.fromEntries(
    Object.entries(submitted).filter(([name, value]) => !SECRETS.test(name) && !isAbsurd(name, value)),
  );
}

/** The 422 answer that refills the form: field errors, and the values typed, without secrets. */
export const invalid = (error: ValidatorError, submitted: GenericObject): Response =>
  validationError(error, withoutSecrets(submitted), { status: 422 });

/** The form again as it was submitted, with nothing to mend: for the way back from a question. */
export const typedAgain = (submitted: GenericObject, formId?: string): Response =>
  validationError({ fieldErrors: {}, ...(formId && { formId }) }, withoutSecrets(submitted), { status: 200 });

/**
 * The same for a refusal of the domain: its message at its field, or above the form. Errors that are not for people go on.
 * In: what the service threw, the form's id, and the values typed.
 */
export function refused(error: unknown, submitted: GenericObject, formId?: string): Response {
  if (!isPortalError(error)) throw error;
  if (error.status === 403 || error.status === 404) throw errorResponse(error);
  return validationError(
    { fieldErrors: { [error.field ?? FORM_ERROR]: error.message }, ...(formId && { formId }) },
    withoutSecrets(submitted),
    { status: error.status },
  );
}
