import { readForm } from "./forms.server";
import { isOwnForm } from "./origin.server";
import { isStaleForm } from "./stale-form.server";

/**
 * Reads a form that needs no session, such as the login's: also one of a page from before a login in another tab, if the browser says that a
 * page of the portal sent it. Throws what `readForm` throws.
 */
export async function readAnonymousForm(request: Request): Promise<FormData> {
  try {
    return await readForm(request);
  } catch (error) {
    if (isStaleForm(error) && isOwnForm(request) && error.formId !== undefined) return error.fields;
    throw error;
  }
}
