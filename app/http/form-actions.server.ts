import { GENERIC_ERROR, isPortalError, PortalError } from "~/lib/errors";
import { logError, type ErrorPlace } from "~/lib/log.server";
import { asRefusal } from "./responses.server";

/** Which of a form's buttons was pressed; an unknown or missing one is the first, as Enter is. */
export function intentOf<Intent extends string>(form: FormData, intents: readonly [Intent, ...Intent[]]): Intent {
  const given = form.get("intent");
  return intents.find((intent) => intent === given) ?? intents[0];
}

/**
 * A refusal as it is; anything unforeseen is logged under its documented code and becomes `message`, so that what was typed stays.
 */
export function foreseen(
  thrown: unknown,
  { message = GENERIC_ERROR, ...place }: ErrorPlace & { code: string; message?: string },
): unknown {
  const error = asRefusal(thrown, place);
  if (isPortalError(error) || error instanceof Response) return error;
  logError(error, place);
  return new PortalError(message, { code: place.code, status: 500, cause: error });
}
