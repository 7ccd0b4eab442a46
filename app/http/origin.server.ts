import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { readBody } from "./forms.server";
import { BODY_LIMIT } from "./limits";
import { errorResponse } from "./responses.server";

/**
 * Whether another site's page sent this form. Browsers send Origin with every POST; where the gate took it out, or a proxy did, Fetch
 * Metadata says the same.
 */
export function isForeignForm(request: Request): boolean {
  if (request.method !== "POST") return false;
  const origin = request.headers.get("Origin");
  if (!origin) return request.headers.get("Sec-Fetch-Site") === "cross-site";
  return ![new URL(request.url).origin, new URL(getEnv().publicUrl).origin].includes(origin);
}

/** Whether the browser says that a page of the portal sent it: where it says nothing it is neither this nor foreign. */
export const isOwnForm = (request: Request): boolean =>
  !isForeignForm(request) && (request.headers.has("Origin") || request.headers.get("Sec-Fetch-Site") === "same-origin");

/** Refuses it, whatever token it brings, with a 403 response for the error boundary; the body is read before that (see `readBody`). */
export async function demandOwnForm(request: Request): Promise<void> {
  if (!isForeignForm(request)) return;
  await readBody(request, BODY_LIMIT);
  const text = "This form was sent from another site. Nothing was changed.";
  throw errorResponse(new PortalError(text, { code: "form.origin", status: 403 }));
}
