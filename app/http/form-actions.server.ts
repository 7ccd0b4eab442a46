import { GENERIC_ERROR, isPortalError, PortalError } from "~/lib/errors";
import { logError, type ErrorContext } from "~/lib/log.server";
import { asRefusal } from "./responses.server";

/** Returns the button of the form that was pressed. An unknown or missing one means the first, which is also what Enter presses. */
export function intentOf<Intent extends string>(form: FormData, intents: readonly [Intent, ...Intent[]]): Intent {
  const given = form.get("intent");
  return intents.find((intent) => intent === given) ?? intents[0];
}

/**
 * Returns a refusal unchanged. An unexpected error is logged under its documented code and becomes a PortalError with `message`, so that
 * the typed values are not lost.
 */
export function asFormError(
  thrown: unknown,
  { message = GENERIC_ERROR, ...place }: ErrorContext & { code: string; message?: string },
): unknown {
  const error = asRefusal(thrown, place);
  if (isPortalError(error) || error instanceof Response) return error;
  logError(error, place);
  return new PortalError(message, { code: place.code, status: 500, cause: error });
}
