import { json } from "@remix-run/node";
import { type GenericObject, type ValidationErrorResponseData, type ValidatorError } from "remix-validated-form";
import { collisionsText } from "~/domain/changed-meanwhile";
import { type MergedForm } from "~/domain/merge-form.server";
import { type ErrorBody, type KeptForm } from "~/domain/shell";
import { type BrokenRule } from "~/lib/broken-rule";
import { isOutage, isPortalError, type PortalError, unavailable } from "~/lib/errors";
import { FORM_ERROR } from "~/lib/form-error";
import { type ErrorContext, logError } from "~/lib/log.server";
import { isUnavailable } from "~db/unavailable.server";
import { FORM_LIMITS } from "./limits";
import { readFields, type StaleForm } from "./stale-form.server";

const refusals = new WeakMap<Response, PortalError>();

/** Returns the error that a response shows, or undefined when it shows none. */
export const shownError = (response: Response): PortalError | undefined => refusals.get(response);

/** Notes which error the response shows, and returns the response. */
function showing(error: PortalError, response: Response): Response {
  refusals.set(response, error);
  return response;
}

/** Returns a PortalError as a response to throw, because Remix hides the messages of plain errors in production. */
export function errorResponse(error: PortalError, kept?: KeptForm): Response {
  const { message, code, status, retryAfter } = error;
  const body = { message, code, ...(kept && { kept }) };
  return showing(error, json<ErrorBody>(body, { status, headers: retryHeaders(retryAfter) }));
}

/** Returns a `Retry-After` header (RFC 9110 §10.2.3) in seconds, or no header when the time is not known. */
export const retryHeaders = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { "Retry-After": String(seconds) };

/**
 * Converts the error of a database that cannot be used into a refusal, and returns every other error unchanged. The outage is logged here
 * because refusals are not logged as failures. `place` is the request.
 */
export function asRefusal(error: unknown, place: ErrorContext = {}): unknown {
  if (!isUnavailable(error)) return error;
  logError(error, place);
  return unavailable(error);
}

const SECRETS = /password|securityAnswer|csrf|cs[rv]File/i;

/** Returns whether people have to type this field again. Its value is never sent back to them. */
export const isTypedSecret = (name: string): boolean => /password|securityAnswer/i.test(name);

const isAbsurd = (name: string, value: unknown) =>
  !["csr", "csv"].includes(name) && typeof value === "string" && value.length > FORM_LIMITS.text;

/** Returns the values that may be shown again: no passwords, answers or files, and no text that cannot have been typed. */
export function withoutSecrets(submitted: GenericObject): GenericObject {
  return Object.fromEntries(
    Object.entries(submitted).filter(([name, value]) => !SECRETS.test(name) && !isAbsurd(name, value)),
  );
}

/** The values of a form that comes back. `hadSecrets` is true when a password or an answer was typed, which is left out. */
export interface FormAgain extends ValidationErrorResponseData {
  hadSecrets: boolean;
}

/** Returns whether a password or an answer was typed. */
export const hadTypedSecrets = (submitted: GenericObject): boolean =>
  Object.entries(submitted).some(([name, value]) => isTypedSecret(name) && value !== "");

/** Field errors with the rules that a CSR in the form breaks, for pages that explain them. */
export interface RefusedForm extends ValidatorError {
  rules?: readonly BrokenRule[] | undefined;
}

function formAgain(error: RefusedForm, submitted: GenericObject, init: ResponseInit): Response {
  const hadSecrets = hadTypedSecrets(submitted);
  return json<FormAgain>({ ...error, repopulateFields: withoutSecrets(submitted), hadSecrets }, init);
}

/**
 * Returns the 422 answer that fills the form again, with field errors and the typed values without secrets. With `retryAfter` it is a 429,
 * and the form may be sent again after that number of seconds.
 */
export const invalid = (error: RefusedForm, submitted: GenericObject, retryAfter?: number): Response =>
  formAgain(error, submitted, { status: retryAfter === undefined ? 422 : 429, headers: retryHeaders(retryAfter) });

/**
 * Returns the form as it was submitted, without errors, for going back from a question, or with an answer that the page shows beside it.
 * @param answer What the page shows, by name.
 */
export const typedAgain = (submitted: GenericObject, formId?: string, answer: object = {}): Response =>
  formAgain({ ...answer, fieldErrors: {}, ...(formId && { formId }) }, submitted, { status: 200 });

/**
 * Returns a refusal of the domain as a form to correct, with the message at its field or above the form. Throws errors that are not for
 * people. Throws an outage of the database too, because `answeringForm` knows whether the form's page can be rendered.
 * @param thrown What the service threw.
 * @param submitted The typed values.
 * @param others Errors of other fields, which are shown beside the refusal.
 */
export function refused(
  thrown: unknown,
  submitted: GenericObject,
  formId?: string,
  others: Readonly<Record<string, string>> = {},
): Response {
  const error = asRefusal(thrown);
  if (!isPortalError(error) || isOutage(error)) throw error;
  if (error.status === 404 || (error.status === 403 && error.field === undefined)) throw errorResponse(error);
  const fieldErrors = { ...others, [error.field ?? FORM_ERROR]: error.message };
  const { status, retryAfter, rules } = error;
  const init = { status, headers: retryHeaders(retryAfter) };
  return showing(
    error,
    formAgain({ fieldErrors, ...(formId && { formId }), ...(rules && { rules }) }, submitted, init),
  );
}

/** Returns the 409 answer that shows a merged form again, with messages at the fields that the person has to decide. */
export async function collided(merged: MergedForm, formId: string, again: string): Promise<Response> {
  const { submittedData } = await readFields(merged.form);
  const { [FORM_ERROR]: whole = "", ...atFields } = merged.collisions;
  const fieldErrors = { [FORM_ERROR]: `${collisionsText(merged.taken, again)} ${whole}`.trim(), ...atFields };
  return formAgain({ fieldErrors, formId }, submittedData, { status: 409 });
}

/** Returns a form that was not processed for showing it again with a new token, or null when it cannot be filled in again. */
export function shownAgain(stale: StaleForm): Response | null {
  const { typed, formId, status, explanation } = stale;
  if (formId === undefined) return null;
  return showing(stale, formAgain({ fieldErrors: { [FORM_ERROR]: explanation }, formId }, typed, { status }));
}

/** The message of a form that could not be stored. */
export const SEND_LATER =
  "The portal cannot reach its data at the moment. Nothing was stored. Please send the form again in a few seconds.";

/** Returns the 503 answer that shows a form again when its page can be rendered but nothing can be stored. */
export const sendLater = (submitted: GenericObject, formId: string, { status, retryAfter }: PortalError): Response =>
  formAgain({ fieldErrors: { [FORM_ERROR]: SEND_LATER }, formId }, submitted, {
    status,
    headers: retryHeaders(retryAfter),
  });
