import { json } from "@remix-run/node";
import { type GenericObject, type ValidationErrorResponseData, type ValidatorError } from "remix-validated-form";
import { toldCollisions } from "~/domain/changed-meanwhile";
import { type MergedForm } from "~/domain/merge-form.server";
import { type ErrorBody, type KeptForm } from "~/domain/shell";
import { isOutage, isPortalError, type PortalError, unavailable } from "~/lib/errors";
import { FORM_ERROR } from "~/lib/form-error";
import { type ErrorPlace, logError } from "~/lib/log.server";
import { isUnavailable } from "~db/unavailable.server";
import { FORM_LIMITS } from "./limits";
import { readFields, type StaleForm } from "./stale-form.server";

/** A PortalError as the response to throw: Remix hides the messages of plain errors in production. */
export const errorResponse = ({ message, code, status, retryAfter }: PortalError, kept?: KeptForm): Response =>
  json<ErrorBody>({ message, code, ...(kept && { kept }) }, { status, headers: retryHeaders(retryAfter) });

/** `Retry-After` (RFC 9110 §10.2.3), in seconds, where the time is known. */
export const retryHeaders = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { "Retry-After": String(seconds) };

/**
 * That the database cannot be used as the refusal that people get, logged here because a refusal is no failure; everything else as it is.
 * `place` is the request.
 */
export function asRefusal(error: unknown, place: ErrorPlace = {}): unknown {
  if (!isUnavailable(error)) return error;
  logError(error, place);
  return unavailable(error);
}

const SECRETS = /password|securityAnswer|csrf|csrFile/i;

/** Whether people have to type this field again: it is never sent back to them. */
export const isTypedSecret = (name: string): boolean => /password|securityAnswer/i.test(name);

const isAbsurd = (name: string, value: unknown) =>
  name !== "csr" && typeof value === "string" && value.length > FORM_LIMITS.text;

/** What may be shown again: never passwords, answers or files, nor a text that nobody can have typed. */
export function withoutSecrets(submitted: GenericObject): GenericObject {
  return Object.fromEntries(
    Object.entries(submitted).filter(([name, value]) => !SECRETS.test(name) && !isAbsurd(name, value)),
  );
}

/** What a form that comes back is filled with; `hadSecrets` when a password or an answer was typed, which is not among it. */
export interface FormAgain extends ValidationErrorResponseData {
  hadSecrets: boolean;
}

function formAgain(error: ValidatorError, submitted: GenericObject, init: ResponseInit): Response {
  const hadSecrets = Object.entries(submitted).some(([name, value]) => isTypedSecret(name) && value !== "");
  return json<FormAgain>({ ...error, repopulateFields: withoutSecrets(submitted), hadSecrets }, init);
}

/**
 * The 422 answer that refills the form: field errors, and the values typed, without secrets. With `retryAfter` it is a 429: the form may be
 * sent again after so many seconds.
 */
export const invalid = (error: ValidatorError, submitted: GenericObject, retryAfter?: number): Response =>
  formAgain(error, submitted, { status: retryAfter === undefined ? 422 : 429, headers: retryHeaders(retryAfter) });

/** The form again as it was submitted, with nothing to mend: for the way back from a question. */
export const typedAgain = (submitted: GenericObject, formId?: string): Response =>
  formAgain({ fieldErrors: {}, ...(formId && { formId }) }, submitted, { status: 200 });

/**
 * The same for a refusal of the domain: its message at its field, or above the form. Errors that are not for people go on, and so does
 * that the database cannot be used: `answeringForm` knows whether the form's page can be made.
 * In: what the service threw, the form's id, and the values typed.
 */
export function refused(thrown: unknown, submitted: GenericObject, formId?: string): Response {
  const error = asRefusal(thrown);
  if (!isPortalError(error) || isOutage(error)) throw error;
  if (error.status === 404 || (error.status === 403 && error.field === undefined)) throw errorResponse(error);
  const fieldErrors = { [error.field ?? FORM_ERROR]: error.message };
  return formAgain({ fieldErrors, ...(formId && { formId }) }, submitted, {
    status: error.status,
    headers: retryHeaders(error.retryAfter),
  });
}

/** The 409 answer that shows a merged form again, with what to say at the fields that the person decides about. */
export async function collided(merged: MergedForm, formId: string, again: string): Promise<Response> {
  const { submittedData } = await readFields(merged.form);
  const { [FORM_ERROR]: whole = "", ...atFields } = merged.collisions;
  const fieldErrors = { [FORM_ERROR]: `${toldCollisions(merged.taken, again)} ${whole}`.trim(), ...atFields };
  return formAgain({ fieldErrors, formId }, submittedData, { status: 409 });
}

/** A form that is not carried out as it was sent, shown again with a token of now; null when it is none that can be filled again. */
export const shownAgain = ({ typed, formId, status, told }: StaleForm): Response | null =>
  formId === undefined ? null : formAgain({ fieldErrors: { [FORM_ERROR]: told }, formId }, typed, { status });

/** What a form says that could not be stored. */
export const SEND_LATER =
  "The portal cannot reach its data at the moment. Nothing was stored. Please send the form again in a few seconds.";

/** The 503 answer that shows a form again whose page can be made although nothing can be stored. */
export const sendLater = (submitted: GenericObject, formId: string, { status, retryAfter }: PortalError): Response =>
  formAgain({ fieldErrors: { [FORM_ERROR]: SEND_LATER }, formId }, submitted, {
    status,
    headers: retryHeaders(retryAfter),
  });
