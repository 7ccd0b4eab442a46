import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { readBody } from "./forms.server";
import { identifyUser } from "./guard.server";
import { BODY_LIMIT } from "./limits";
import { errorResponse } from "./responses.server";

/**
 * Returns whether a page of another site sent this form. Browsers send Origin with every POST. Where the gate or a proxy has removed it,
 * Fetch Metadata has the same information.
 */
export function isForeignForm(request: Request): boolean {
  if (request.method !== "POST") return false;
  const origin = request.headers.get("Origin");
  if (!origin) return request.headers.get("Sec-Fetch-Site") === "cross-site";
  return ![new URL(request.url).origin, new URL(getEnv().publicUrl).origin].includes(origin);
}

/**
 * Returns whether the browser states that a page of the portal sent the form. Without such a statement a form is neither own nor foreign.
 */
export const isOwnForm = (request: Request): boolean =>
  !isForeignForm(request) && (request.headers.has("Origin") || request.headers.get("Sec-Fetch-Site") === "same-origin");

/**
 * Throws a 403 response for the error boundary when another site sent the form, whatever token it has. Its event names the user. The body is read first (see
 * `readBody`).
 */
export async function requireOwnForm(request: Request): Promise<void> {
  if (!isForeignForm(request)) return;
  await readBody(request, BODY_LIMIT);
  await identifyUser(request);
  const text = "This form was sent from another site. Nothing was changed.";
  throw errorResponse(new PortalError(text, { code: "form.origin", status: 403 }));
}
